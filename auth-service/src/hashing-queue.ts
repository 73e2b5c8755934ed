import type { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import { createRecentUse } from "./recent-use.ts";

/** Who wants a password hashed. */
export interface Turn {
  /** The account's folded name: of one account never two are hashed at once. */
  readonly account: string;
  readonly address: string;
  /** The account was opened from this address before. */
  readonly known: boolean;
}

export interface Waiting extends Turn {
  readonly since: number;
  readonly start: () => Promise<void>;
  readonly reject: (problem: ProblemError) => void;
}

/** AB7: who waits, in the order of turns: the address that had, and has, the least comes first. */
export interface HashingQueue {
  readonly size: () => number;
  waitingOf(address: string): number;
  add(entry: Waiting): void;
  /** Removes and returns whoever has waited longer. */
  takeLate(patienceMs: number): readonly Waiting[];
  /** Removes and returns whose turn it is among those whose account is not busy, and counts it. */
  takeNext(busy: ReadonlySet<string>): Waiting | undefined;
  /** Removes and returns who would come last; the newcomer counts, too, and is then not added. */
  takeLast(newcomer: Waiting): Waiting;
}

/** So many hashes of an address that the account is known from go before those of strangers who had none. */
const KNOWN_AHEAD = 4;

export function createHashingQueue(clock: Clock): HashingQueue {
  const recentUse = createRecentUse(clock);
  let entries: readonly Waiting[] = [];

  const ranked = (those: readonly Waiting[]): { entry: Waiting; rank: number }[] => {
    const used = new Map<string, number>();
    return those.map((entry) => {
      const before = used.get(entry.address) ?? recentUse.of(entry.address);
      used.set(entry.address, before + 1);
      return { entry, rank: before - (entry.known ? KNOWN_AHEAD : 0) };
    });
  };
  const without = (entry: Waiting): void => {
    entries = entries.filter((other) => other !== entry);
  };

  return {
    size: () => entries.length,
    waitingOf: (address) => entries.filter((entry) => entry.address === address).length,
    add: (entry) => {
      entries = [...entries, entry];
    },
    takeLate: (patienceMs) => {
      const late = entries.filter(({ since }) => clock.now() - since > patienceMs);
      late.forEach(without);
      return late;
    },
    takeNext: (busy) => {
      const ready = ranked(entries.filter(({ account }) => !busy.has(account)));
      const [next] = ready.sort((a, b) => a.rank - b.rank);
      if (next === undefined) return undefined;
      without(next.entry);
      recentUse.note(next.entry.address);
      return next.entry;
    },
    takeLast: (newcomer) => {
      const last = ranked([...entries, newcomer]).reduce((a, b) => (b.rank >= a.rank ? b : a)).entry;
      without(last);
      return last;
    },
  };
}
