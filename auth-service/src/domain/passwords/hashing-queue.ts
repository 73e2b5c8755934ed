import type { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import { createRecentUse } from "./recent-use.ts";

/** A request to hash a password. */
export interface HashRequest {
  /** The account's folded name. */
  readonly account: string;
  readonly address: string;
  /** The account has had a session from this address. */
  readonly known: boolean;
}

export interface Waiting extends HashRequest {
  readonly since: number;
  readonly start: () => Promise<void>;
  readonly reject: (problem: ProblemError) => void;
}

/** AB7: the waiting requests, ordered: known addresses first, then the address with the fewest hashes. */
export interface HashingQueue {
  readonly size: () => number;
  waitingOf(address: string): number;
  add(entry: Waiting): void;
  /** Removes and returns the requests that have waited longer. */
  takeLate(patienceMs: number): readonly Waiting[];
  /** Removes, counts and returns the next request whose account is not busy. */
  takeNext(busy: ReadonlySet<string>): Waiting | undefined;
  /** Removes and returns the request that would come last among the waiting ones and the newcomer. */
  takeLast(newcomer: Waiting): Waiting;
}

/** After so many turns of known addresses a stranger has one, so that known addresses cannot block strangers. */
const MAX_KNOWN_IN_A_ROW = 3;

interface Ranked {
  readonly entry: Waiting;
  readonly rank: number;
}

const least = (entries: readonly Ranked[]): Ranked | undefined =>
  entries.reduce<Ranked | undefined>((a, b) => (a === undefined || b.rank < a.rank ? b : a), undefined);

/** Known addresses come first, then lower ranks, then earlier requests. */
const comesLater = (a: Ranked, b: Ranked): boolean =>
  a.entry.known === b.entry.known ? b.rank >= a.rank : a.entry.known;

export function createHashingQueue(clock: Clock): HashingQueue {
  const recentUse = createRecentUse(clock);
  let entries: readonly Waiting[] = [];
  let knownInARow = 0;

  /** The rank counts the recent hashes of the address, its waiting requests, and those of them that come before. */
  const ranked = (requests: readonly Waiting[]): Ranked[] => {
    const used = new Map<string, number>();
    for (const { address } of requests) used.set(address, (used.get(address) ?? recentUse.of(address)) + 1);
    return requests.map((entry) => {
      const rank = used.get(entry.address) ?? 0;
      used.set(entry.address, rank + 1);
      return { entry, rank };
    });
  };
  const choose = (ready: readonly Ranked[]): Ranked | undefined => {
    const known = least(ready.filter(({ entry }) => entry.known));
    const stranger = least(ready.filter(({ entry }) => !entry.known));
    const turn = knownInARow < MAX_KNOWN_IN_A_ROW ? (known ?? stranger) : (stranger ?? known);
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
