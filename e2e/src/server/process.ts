import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Child,
  type Outcome,
  outcomeOf,
  programOf,
  removeFolder,
  type RunningProgram,
  startChild,
  outputMatch,
} from "./child.ts";
import { startClusterServer } from "./cluster-server.ts";
import { AMPLE_QUOTAS, UNLIMITED, UNLIMITED_LOGINS } from "./member.ts";
import { asCluster } from "./mode.ts";

const START_MS = 20_000;

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Data of an earlier run; a fresh folder by default. */
  readonly dataDir?: string;
  /** The file to run instead of `all-in-one.ts`, relative to the repository. */
  readonly entry?: string;
  /** The product's default limits, which other suites raise. One process only. */
  readonly asShipped?: boolean;
  /** `false` for a suite that counts its server's actions: it then gets its own cluster. */
  readonly isShared?: boolean;
}

/** The product as a separate process on a free port. */
export interface RunningServer extends RunningProgram {
  readonly url: string;
  readonly metricsUrl: string;
}

interface Launched {
  readonly child: Child;
  readonly folder: string;
}

const launch = async ({
  env = {},
  dataDir,
  entry = "all-in-one.ts",
  asShipped = false,
}: ServerOptions): Promise<Launched> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "hearth-e2e-")));
  const child = startChild([entry], {
    PORT: "0",
    METRICS_PORT: "0",
    DATA_DIR: folder,
    BCRYPT_COST: "10",
    ...(asShipped ? {} : { ...UNLIMITED, ...AMPLE_QUOTAS, ...UNLIMITED_LOGINS }),
    ...env,
  });
  return { child, folder };
};

/** Starts the product; resolves when it is ready. */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> =>
  asCluster ? startClusterServer(options) : startEmbedded(options);

/** Starts `all-in-one.ts` and resolves when it has printed its address. */
const startEmbedded = async (options: ServerOptions): Promise<RunningServer> => {
  const { child, folder } = await launch(options);
  return { ...(await outputMatch(child, addressesIn, START_MS)), ...programOf(child, folder) };
};

/** Starts a program that must fail to start; resolves with its exit code and output. */
export const startFailing = async (options: ServerOptions): Promise<Outcome> => {
  const { child, folder } = await launch(options);
  const outcome = await outcomeOf(child, START_MS);
  if (options.dataDir === undefined) await removeFolder(folder);
  return outcome;
};

const addressesIn = (output: string): Pick<RunningServer, "url" | "metricsUrl"> | undefined => {
  const url = /Open\s+(http:\S+)/.exec(output)?.[1];
  const metricsUrl = /Metrics\s+(http:\S+)/.exec(output)?.[1];
  return url !== undefined && metricsUrl !== undefined ? { url, metricsUrl } : undefined;
};
