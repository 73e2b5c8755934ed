import { uuid } from "@hearth/contracts";
import { readConfig, variables } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { z } from "zod";

export interface DiscoveryConfig {
  /** Ids of the servers that the operator recommends, in that order (rule DI2). */
  readonly featuredServers: readonly string[];
}

const isIds = (ids: readonly string[]): boolean => ids.every((id) => uuid.safeParse(id).success);

const schema = z
  .object({
    FEATURED_SERVERS: variables
      .list()
      .refine(isIds, "must be server ids separated by commas")
      .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
      .default([]),
  })
  .transform((env): DiscoveryConfig => ({ featuredServers: env.FEATURED_SERVERS }));

/** Throws a `ConfigError` that names every variable that cannot be used. */
export const readDiscoveryConfig = (env: Environment = process.env): DiscoveryConfig =>
  readConfig(schema, env, { service: "discovery" });
