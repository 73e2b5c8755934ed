import { z } from "zod";
import { ConfigProblems } from "../config/config-error.ts";
import { readConfig } from "../config/read-config.ts";
import type { Environment } from "../config/read-config.ts";
import { withSecretFiles } from "../config/secret-files.ts";
import { variables } from "../config/variables.ts";
import type { LogLevel } from "../log/log.ts";

/** A secret between services, too long to be guessed. */
const secret = () => variables.text().refine((text) => text.length >= 16, "must have 16 characters or more");

const url = (protocols: readonly string[]) => {
  const problem = `must be a URL that starts with ${protocols.join(" or ")}, without a password`;
  return z.string().refine((text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, password } = new URL(text);
    return protocols.includes(`${protocol}//`) && password === "";
  }, problem);
};

const HOST_AND_PORT = /^[A-Za-z0-9._-]+:\d{1,5}$/;

/** The variables of dependencies in the distributed mode; each `main.ts` picks those that it needs. */
export const networkVariables = {
  bus: {
    NATS_SERVERS: variables
      .list()
      .refine((servers) => servers.length > 0, "is missing")
      .refine((servers) => servers.every((server) => HOST_AND_PORT.test(server)), "must list host:port"),
    NATS_USER: variables.text(),
    NATS_PASSWORD: secret(),
  },
  redis: {
    REDIS_URL: url(["redis://", "rediss://"]),
    REDIS_USER: variables.text(),
    REDIS_PASSWORD: secret(),
  },
  mongo: {
    MONGODB_URL: url(["mongodb://", "mongodb+srv://"]),
    MONGODB_USER: variables.text(),
    MONGODB_PASSWORD: secret(),
  },
  internal: { INTERNAL_SECRET: secret() },
} as const;

const SECRETS = ["NATS_PASSWORD", "REDIS_PASSWORD", "MONGODB_PASSWORD", "INTERNAL_SECRET"] as const;

const own = {
  HOST: variables.host().default("0.0.0.0"),
  PORT: variables.port().default(8080),
  METRICS_HOST: variables.host().default("0.0.0.0"),
  METRICS_PORT: variables.port().default(9464),
  LOG_LEVEL: variables.logLevel().default("info"),
};

/** The address and the log level of a service process. */
export interface ProcessConfig {
  readonly host: string;
  readonly port: number;
  readonly metrics: { readonly host: string; readonly port: number };
  readonly logLevel: LogLevel;
}

/** The whole configuration of a process, from its environment. */
export interface ReadConfig<Network, Own> {
  readonly process: ProcessConfig;
  readonly network: Network;
  readonly own: Own;
}

/**
 * Reads the configuration from the environment alone. Addresses and secrets have no defaults, so that a container never
 * falls back silently. `others` reads the service's own settings. Throws one {@link ConfigError} that names every problem
 * and no value.
 */
export function readProcessConfig<Shape extends z.ZodRawShape, Others>(
  service: string,
  shape: Shape,
  others: (env: Environment) => Others,
  environment: Environment,
): ReadConfig<z.output<z.ZodObject<Shape>>, Others> {
  const problems = new ConfigProblems();
  const wanted = SECRETS.filter((name) => name in shape);
  const env = problems.attempt(() => withSecretFiles(environment, wanted, { service })) ?? environment;
  const network = problems.attempt(() => readConfig(z.object(shape), env, { service }));
  const listening = problems.attempt(() => readConfig(z.object(own), env, { service }));
  const rest = problems.attempt(() => others(env));
  if (problems.any || !network || !listening || rest === undefined) throw problems.errorFor(service);
  const metrics = { host: listening.METRICS_HOST, port: listening.METRICS_PORT };
  const process = { host: listening.HOST, port: listening.PORT, metrics, logLevel: listening.LOG_LEVEL };
  return { process, network, own: rest };
}
