import type { Clock, Log } from "@hearth/runtime";
import type { FeaturedStore } from "./store.ts";

/** DI2: the servers that the operator recommends. The command changes the stored ones while the service runs. */
export interface FeaturedServers {
  /** In the operator's order. Never fails: without the store it answers the previous list. */
  ids(): Promise<readonly string[]>;
}

export interface FeaturedServersDeps {
  /** From the configuration; they come first. */
  readonly configured: readonly string[];
  readonly store: Pick<FeaturedStore, "list">;
  readonly clock: Clock;
  readonly log: Log;
}

const FRESH_MS = 5_000;

export function createFeaturedServers({
  configured,
  store,
  clock,
  log,
}: FeaturedServersDeps): FeaturedServers {
  let ids = configured;
  let readAt = -Infinity;
  return {
    ids: async () => {
      const now = clock.now();
      if (Math.abs(now - readAt) < FRESH_MS) return ids;
      readAt = now;
      try {
        ids = [...new Set([...configured, ...(await store.list())])];
      } catch (error) {
        log.debug({ err: error }, "the featured servers were not read");
      }
      return ids;
    },
  };
}
