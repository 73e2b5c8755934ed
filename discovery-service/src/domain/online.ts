import { LRUCache } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";

/** DI1: `onlineCount`, as presence last reported it. Never fails: a directory is useful without these numbers. */
export interface OnlineCounts {
  of(serverIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface OnlineCountsDeps {
  /** How many users are in these servers' rooms; may leave out servers with nobody. */
  readonly ask: (serverIds: readonly string[]) => Promise<Readonly<Record<string, number>>>;
  readonly clock: Clock;
  readonly log: Log;
}

const FRESH_MS = 5_000;
/** The pause after a failure, so that an unreachable presence slows down no page. */
const PAUSE_MS = 2_000;
const MAX_SERVERS = 20_000;

export function createOnlineCounts({ ask, clock, log }: OnlineCountsDeps): OnlineCounts {
  const known = new LRUCache<string, { count: number; at: number }>({ max: MAX_SERVERS });
  let failedAt = -Infinity;

  const refresh = async (serverIds: readonly string[]): Promise<void> => {
    try {
      const counts = await ask(serverIds);
      const at = clock.now();
      for (const id of serverIds)
        known.set(id, { count: Object.hasOwn(counts, id) ? (counts[id] ?? 0) : 0, at });
    } catch (error) {
      failedAt = clock.now();
      log.debug({ err: error }, "presence did not report who is online");
    }
  };

  return {
    of: async (serverIds) => {
      const now = clock.now();
      // The absolute difference: after the clock is set back, old counts must not stay fresh.
      const stale = serverIds.filter((id) => Math.abs(now - (known.get(id)?.at ?? -Infinity)) >= FRESH_MS);
      const pausing = Math.abs(now - failedAt) < PAUSE_MS;
      if (stale.length > 0 && !pausing) await refresh(stale);
      return new Map(serverIds.map((id) => [id, known.get(id)?.count ?? 0]));
    },
  };
}
