import { REGISTRATION_MODES } from "@hearth/contracts";
import type { RegistrationMode } from "@hearth/contracts";
import { readConfig, variables } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { z } from "zod";

export interface AuthConfig {
  /** How long a session lives, in milliseconds (rule AU4). */
  readonly sessionTtlMs: number;
  /** Each step doubles the time that a login takes (rule AU3). */
  readonly bcryptCost: number;
  /** Who may register (rule AB11). */
  readonly registration: RegistrationMode;
  /** Per account (rule AB4). */
  readonly maxDeviceTokens: number;
  /** Passwords of one address that may wait to be hashed (rule AB7). */
  readonly maxWaitingPerAddress: number;
}

const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60_000;

const schema = z
  .object({
    SESSION_TOKEN_TTL_MS: variables.durationMs().default(TEN_YEARS_MS),
    BCRYPT_COST: variables.whole(10, 15).default(12),
    REGISTRATION: z.enum(REGISTRATION_MODES, "must be open, invite or closed").default("open"),
    MAX_WAITING_LOGINS_PER_ADDRESS: variables.whole(1, 256).default(4),
    MAX_DEVICE_TOKENS: variables.whole(1, 1000).default(16),
  })
  .transform(
    (env): AuthConfig => ({
      sessionTtlMs: env.SESSION_TOKEN_TTL_MS,
      bcryptCost: env.BCRYPT_COST,
      registration: env.REGISTRATION,
      maxDeviceTokens: env.MAX_DEVICE_TOKENS,
      maxWaitingPerAddress: env.MAX_WAITING_LOGINS_PER_ADDRESS,
    }),
  );

/** Throws a `ConfigError` that names every variable that cannot be used. */
export const readAuthConfig = (env: Environment = process.env): AuthConfig =>
  readConfig(schema, env, { service: "auth" });

const importSchema = z.object({ DATA_DIR: variables.text().default("./data") });

/** The default data folder of the import command. */
export const readDataDir = (env: Environment = process.env): string =>
  readConfig(importSchema, env, { service: "users:import" }).DATA_DIR;

/** The settings of the operator's command. */
export interface OperatorConfig {
  readonly dataDir: string;
  /** The environment if it names a MongoDB; null in the embedded mode. */
  readonly distributed: Environment | null;
  /** Without a slash at its end. */
  readonly publicUrl: string;
}

const operatorSchema = z.object({
  DATA_DIR: variables.text().default("./data"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .default("http://localhost:8080"),
});

export function readOperatorConfig(environment: Environment = process.env): OperatorConfig {
  const { DATA_DIR: dataDir, PUBLIC_URL } = readConfig(operatorSchema, environment, { service: "admin" });
  const distributed = environment["MONGODB_URL"] === undefined ? null : environment;
  return { dataDir, distributed, publicUrl: PUBLIC_URL.replace(/\/+$/, "") };
}
