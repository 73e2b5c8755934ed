import { readConfig, variables } from "@hearth/runtime";
import { z } from "zod";

/** What the embedded mode as a whole is told; each service reads the rest itself. */
const schema = z.object({
  PORT: variables.port().default(8080),
  HOST: variables.host().default("127.0.0.1"),
  DATA_DIR: variables.text().default("./data"),
  METRICS_PORT: variables.port().default(9464),
  METRICS_HOST: variables.host().default("127.0.0.1"),
  LOG_LEVEL: variables.logLevel().default(process.stdout.isTTY ? "warn" : "info"),
});

export const readServerConfig = () => {
  const env = readConfig(schema, process.env, { service: "hearth" });
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    logLevel: env.LOG_LEVEL,
  };
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
