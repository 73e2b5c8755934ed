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

/** AB7: who waits, in the order of turns: known addresses first, then the address that had, and has, the least. */
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

/** Strangers have one turn after so many of addresses that succeeded before, so that those cannot shut them out. */
const KNOWN_IN_A_ROW = 3;

interface Ranked {
  readonly entry: Waiting;
  readonly rank: number;
}

const least = (entries: readonly Ranked[]): Ranked | undefined =>
  entries.reduce<Ranked | undefined>((a, b) => (a === undefined || b.rank < a.rank ? b : a), undefined);

/** Known addresses first, then the lower rank, then whoever came first. */
const comesLater = (a: Ranked, b: Ranked): boolean =>
  a.entry.known === b.entry.known ? b.rank >= a.rank : a.entry.known;

export function createHashingQueue(clock: Clock): HashingQueue {
  const recentUse = createRecentUse(clock);
  let entries: readonly Waiting[] = [];
  let knownInARow = 0;

  /** What the address had lately, has waiting, and has waiting before this one: who asks for more comes later. */
  const ranked = (those: readonly Waiting[]): Ranked[] => {
    const used = new Map<string, number>();
    for (const { address } of those) used.set(address, (used.get(address) ?? recentUse.of(address)) + 1);
    return those.map((entry) => {
      const rank = used.get(entry.address) ?? 0;
      used.set(entry.address, rank + 1);
      return { entry, rank };
    });
  };
  const choose = (ready: readonly Ranked[]): Ranked | undefined => {
    const known = least(ready.filter(({ entry }) => entry.known));
    const stranger = least(ready.filter(({ entry }) => !entry.known));
    const turn = knownInARow < KNOWN_IN_A_ROW ? (known ?? stranger) : (stranger ?? known);
    knownInARow = turn === stranger ? 0 : knownInARow + 1;
    return turn;
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
      const next = choose(ranked(entries).filter(({ entry }) => !busy.has(entry.account)));
      if (next === undefined) return undefined;
      without(next.entry);
      recentUse.note(next.entry.address);
      return next.entry;
    },
    takeLast: (newcomer) => {
      const last = ranked([...entries, newcomer]).reduce((a, b) => (comesLater(a, b) ? b : a)).entry;
      without(last);
      return last;
    },
  };
}
