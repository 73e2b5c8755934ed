import { existsSync } from "node:fs";
import path from "node:path";
import { readAuthConfig } from "@hearth/auth-service";
import { readDiscoveryConfig } from "@hearth/discovery-service";
import { readGatewayConfig } from "@hearth/gateway";
import { readPresenceConfig } from "@hearth/presence-service";
import { ConfigProblems, readConfig, readVariablesFile, variables } from "@hearth/runtime";
import { z } from "zod";

/** What the embedded mode as a whole is told; each service reads the rest itself. */
const schema = z.object({
  PORT: variables.port().default(8080),
  HOST: variables.host().default("127.0.0.1"),
  DATA_DIR: variables.text().default("./data"),
  METRICS_PORT: variables.port().default(9464),
  METRICS_HOST: variables.host().default("127.0.0.1"),
  WEB_ROOT: z.string().optional(),
  LOG_LEVEL: variables.logLevel().default(process.stdout.isTTY ? "warn" : "info"),
});

const BUILT_CLIENT = path.join(import.meta.dirname, "desktop", "dist", "renderer");

/** The folder of the built client; without one, or named as empty, a page with the server's state stands at `/`. */
const webRootOf = (named: string | undefined): string | undefined => {
  if (named !== undefined) return named === "" ? undefined : named;
  return existsSync(path.join(BUILT_CLIENT, "index.html")) ? BUILT_CLIENT : undefined;
};

const readOwnConfig = () => {
  const env = readConfig(schema, process.env, { service: "hearth" });
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    logLevel: env.LOG_LEVEL,
    webRoot: webRootOf(env.WEB_ROOT),
  };
};

/** Each service reads its own part; a `ConfigError` names everything that is wrong in all of them. */
export const readServerConfig = () => {
  const problems = new ConfigProblems();
  const own = problems.attempt(readOwnConfig);
  const auth = problems.attempt(() => readAuthConfig());
  const discovery = problems.attempt(() => readDiscoveryConfig());
  const presence = problems.attempt(() => readPresenceConfig());
  const file = own ? readVariablesFile(path.join(own.dataDir, "variables.json")) : {};
  const gateway = problems.attempt(() => readGatewayConfig(file));
  if (own && auth && discovery && presence && gateway) return { ...own, auth, discovery, presence, gateway };
  throw problems.errorFor("hearth");
};

export type ServerConfig = ReturnType<typeof readServerConfig>;

interface Running {
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly metrics: { readonly host: string };
  readonly metricsPort: number;
}

/** Where a person finds everything. Written to the standard output, also when it is no terminal: scripts read it. */
export const banner = ({ version, host, port, dataDir, metrics, metricsPort }: Running): string => {
  const open = urlOf(host, port);
  return `
Hearth ${version} is running.

  Open       ${open}
  Reference  ${open}/docs
  Sockets    ${open.replace(/^http/, "ws")}/ws (WebSocket), ${open} (Socket.IO)
  Data       ${dataDir}
  Metrics    ${urlOf(metrics.host, metricsPort)}/metrics

Ctrl-C stops it.
`;
};

/** An address that can be opened: a server that listens everywhere is reached on this machine as localhost. */
const urlOf = (host: string, port: number): string => {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
};
