import { LRUCache } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";

export interface OnlineCountsDeps {
  /** How many users are in these servers' rooms; servers with nobody may be left out. */
  readonly ask: (serverIds: readonly string[]) => Promise<Readonly<Record<string, number>>>;
  readonly clock: Clock;
  readonly log: Log;
}

const FRESH_MS = 5_000;
/** How long not to ask again after a failure, so that a presence that is away slows no page down. */
const PAUSE_MS = 2_000;
const MAX_SERVERS = 20_000;

/** DI1: `onlineCount`, as presence last told it. A directory is worth showing without it, so nothing here ever fails. */
export class OnlineCounts {
  readonly #deps: OnlineCountsDeps;
  readonly #known = new LRUCache<string, { count: number; at: number }>({ max: MAX_SERVERS });
  #failedAt = -Infinity;

  constructor(deps: OnlineCountsDeps) {
    this.#deps = deps;
  }

  async of(serverIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = this.#deps.clock.now();
    // Absolute, so that a clock set back makes nothing fresh for as long as it went back.
    const stale = serverIds.filter(
      (id) => Math.abs(now - (this.#known.get(id)?.at ?? -Infinity)) >= FRESH_MS,
    );
    const pausing = Math.abs(now - this.#failedAt) < PAUSE_MS;
    if (stale.length > 0 && !pausing) await this.#refresh(stale);
    return new Map(serverIds.map((id) => [id, this.#known.get(id)?.count ?? 0]));
  }

  async #refresh(serverIds: readonly string[]): Promise<void> {
    try {
      const counts = await this.#deps.ask(serverIds);
      const at = this.#deps.clock.now();
      for (const id of serverIds)
        this.#known.set(id, { count: Object.hasOwn(counts, id) ? (counts[id] ?? 0) : 0, at });
    } catch (error) {
      this.#failedAt = this.#deps.clock.now();
      this.#deps.log.debug({ err: error }, "presence did not say who is online");
    }
  }
}
