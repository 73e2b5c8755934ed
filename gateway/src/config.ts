import { readFileSync } from "node:fs";
import { ConfigProblems, readConfig, variables } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { z } from "zod";
import { parseTrustProxy } from "./edge/client-address.ts";
import type { BudgetRates } from "./edge/budgets.ts";
import type { ProxyTrust } from "./edge/client-address.ts";
import { normalOrigin } from "./edge/origins.ts";

export interface GatewayConfig {
  readonly version: string;
  /** GW4: origins as browsers spell them. An empty list allows every origin. */
  readonly corsAllowlist: readonly string[];
  readonly trustProxy: ProxyTrust;
  /** Limits per client address; 0 for no limit. */
  readonly socketsPerAddress: number;
  readonly upgradesPerMinute: number;
  /** Open HTTP connections per client address; 0 for no limit. */
  readonly connectionsPerAddress: number;
  readonly budgets: BudgetRates;
  /** Unknown keys of the variables file. */
  readonly unknownVariables: readonly string[];
}

const ORIGINS = "must list origins such as https://chat.example.org, separated by commas";
const PROXIES =
  "must be a number of proxies up to 32, or their addresses, ranges or loopback, linklocal, uniquelocal";
const MAX = 1_000_000;

const originList = variables
  .list()
  .refine((origins) => origins.every((origin) => normalOrigin(origin) !== undefined), ORIGINS)
  .transform((origins) => [...new Set(origins.map((origin) => normalOrigin(origin) ?? ""))]);

const environment = z.object({
  CORS_ALLOWLIST: originList.default([]),
  TRUST_PROXY: z
    .string()
    .default("")
    .transform(parseTrustProxy)
    .refine((trust) => trust !== undefined, PROXIES),
  MAX_SOCKETS_PER_ADDRESS: variables.whole(0, MAX).default(500),
  MAX_UPGRADES_PER_MINUTE: variables.whole(0, MAX).default(1_000),
  MAX_CONNECTIONS_PER_ADDRESS: variables.whole(0, MAX).default(1_000),
  MAX_ACCOUNT_WRITES_PER_SECOND: variables.whole(0, MAX).default(20),
  MAX_ADDRESS_WRITES_PER_SECOND: variables.whole(0, MAX).default(20),
  MAX_ADDRESS_SEARCHES_PER_SECOND: variables.whole(0, MAX).default(5),
  MAX_ADDRESS_READS_PER_SECOND: variables.whole(0, MAX).default(50),
});

/** A list, or its items separated by commas. */
const inFile = z
  .union([z.array(z.string()).transform((origins) => origins.join(",")), z.string()])
  .pipe(originList)
  .default([]);

const KNOWN = "corsAllowlist";

function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(manifest)).version;
}

/**
 * `file` is the content of the server's variables file; the environment overrides it. Throws a `ConfigError` that names
 * every bad variable.
 */
export function readGatewayConfig(
  file: Readonly<Record<string, unknown>> = {},
  env: Environment = process.env,
): GatewayConfig {
  const problems = new ConfigProblems();
  const read = problems.attempt(() => readConfig(environment, env, { service: "gateway" }));
  const listed = inFile.safeParse(file[KNOWN]);
  if (!listed.success) problems.add({ variable: KNOWN, problem: ORIGINS });
  if (!read || !listed.success) throw problems.errorFor("gateway");
  return {
    version: readVersion(),
    corsAllowlist: read.CORS_ALLOWLIST.length > 0 ? read.CORS_ALLOWLIST : listed.data,
    trustProxy: read.TRUST_PROXY,
    socketsPerAddress: read.MAX_SOCKETS_PER_ADDRESS,
    upgradesPerMinute: read.MAX_UPGRADES_PER_MINUTE,
    connectionsPerAddress: read.MAX_CONNECTIONS_PER_ADDRESS,
    budgets: {
      accountWrites: read.MAX_ACCOUNT_WRITES_PER_SECOND,
      addressWrites: read.MAX_ADDRESS_WRITES_PER_SECOND,
      addressSearches: read.MAX_ADDRESS_SEARCHES_PER_SECOND,
      addressReads: read.MAX_ADDRESS_READS_PER_SECOND,
    },
    unknownVariables: Object.keys(file).filter((key) => key !== KNOWN),
  };
}
