import type { Clock, Log } from "@hearth/runtime";
import type { FeaturedStore } from "./store.ts";

export interface FeaturedServersDeps {
  /** From the configuration; they come first. */
  readonly configured: readonly string[];
  readonly store: Pick<FeaturedStore, "list">;
  readonly clock: Clock;
  readonly log: Log;
}

const FRESH_MS = 5_000;

/** DI2: the servers that the operator recommends. The command changes the stored ones while the service runs. */
export class FeaturedServers {
  readonly #deps: FeaturedServersDeps;
  #ids: readonly string[];
  #readAt = -Infinity;

  constructor(deps: FeaturedServersDeps) {
    this.#deps = deps;
    this.#ids = deps.configured;
  }

  /** In the operator's order. Never fails: a page is worth showing with the list of a moment ago. */
  async ids(): Promise<readonly string[]> {
    const { configured, store, clock, log } = this.#deps;
    const now = clock.now();
    if (Math.abs(now - this.#readAt) < FRESH_MS) return this.#ids;
    this.#readAt = now;
    try {
      this.#ids = [...new Set([...configured, ...(await store.list())])];
    } catch (error) {
      log.debug({ err: error }, "the featured servers were not read");
    }
    return this.#ids;
  }
}
