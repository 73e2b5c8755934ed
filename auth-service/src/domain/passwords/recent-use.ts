import { LRUCache } from "@hearth/runtime";
import type { Clock } from "@hearth/runtime";

/** How often each key was used recently; a use counts half after a minute. */
export interface RecentUse {
  note(key: string): void;
  of(key: string): number;
}

const HALF_LIFE_MS = 60_000;
/** Beyond this number the least recently used key is removed. */
const MAX_KEYS = 10_000;

export function createRecentUse(clock: Clock): RecentUse {
  const uses = new LRUCache<string, { readonly amount: number; readonly at: number }>({ max: MAX_KEYS });
  const of = (key: string): number => {
    const use = uses.get(key);
    return use === undefined ? 0 : use.amount * 0.5 ** (Math.max(0, clock.now() - use.at) / HALF_LIFE_MS);
  };
  return {
    of,
    note: (key) => void uses.set(key, { amount: of(key) + 1, at: clock.now() }),
  };
}
