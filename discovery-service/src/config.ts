import { uuid } from "@hearth/contracts";
import { readConfig, variables } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { z } from "zod";
import type { Quotas } from "./domain/quotas.ts";

export interface DiscoveryConfig {
  /** Ids of the servers that the operator recommends, in order (rule DI2). */
  readonly featuredServers: readonly string[];
  readonly quotas: Quotas;
}

const isIds = (ids: readonly string[]): boolean => ids.every((id) => uuid.safeParse(id).success);

const quota = (initial: number) => variables.whole(1, 1_000_000).default(initial);

const schema = z
  .object({
    FEATURED_SERVERS: variables
      .list()
      .refine(isIds, "must be server ids separated by commas")
      .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
      .default([]),
    MAX_SERVERS_OWNED: quota(20),
    MAX_SERVERS_MADE_PER_HOUR: quota(10),
    MAX_CHANNELS_PER_SERVER: variables.whole(1, 500).default(200),
    MAX_INVITES_PER_SERVER: quota(500),
    MAX_INVITES_PER_MEMBER: quota(50),
    MAX_BANS_PER_SERVER: quota(10_000),
  })
  .transform(
    (env): DiscoveryConfig => ({
      featuredServers: env.FEATURED_SERVERS,
      quotas: {
        serversOwned: env.MAX_SERVERS_OWNED,
        serversMadePerHour: env.MAX_SERVERS_MADE_PER_HOUR,
        channels: env.MAX_CHANNELS_PER_SERVER,
        invites: env.MAX_INVITES_PER_SERVER,
        invitesOfMember: env.MAX_INVITES_PER_MEMBER,
        bans: env.MAX_BANS_PER_SERVER,
      },
    }),
  );

const operatorSchema = z.object({
  DATA_DIR: variables.text().default("./data"),
  MONGODB_URL: z.string().optional(),
});

/** The settings of the operator's command. */
export interface OperatorConfig {
  /** The data folder of the embedded mode. */
  readonly dataDir: string;
  /** The environment if it names a MongoDB; null in the embedded mode. */
  readonly distributed: Environment | null;
}

/** Throws a `ConfigError`. */
export function readOperatorConfig(env: Environment = process.env): OperatorConfig {
  const { DATA_DIR: dataDir, MONGODB_URL } = readConfig(operatorSchema, env, { service: "discovery" });
  return { dataDir, distributed: MONGODB_URL === undefined ? null : env };
}

/** Throws a `ConfigError` that names every variable that cannot be used. */
export const readDiscoveryConfig = (env: Environment = process.env): DiscoveryConfig =>
  readConfig(schema, env, { service: "discovery" });
