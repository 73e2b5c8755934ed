import { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import { createHashingQueue } from "./hashing-queue.ts";
import type { Turn, Waiting } from "./hashing-queue.ts";

/**
 * Where all password hashing passes (AU8, AB7): at most `slots` at a time, and of one account never two at once, so
 * that nobody gains attempts by being parallel. Addresses take turns: the one that had the least hashed lately comes
 * first, and one that the account is known from comes before strangers.
 */
export interface HashingGate {
  /**
   * Refuses with `RATE_LIMITED` what one address has too many of, and with `UNAVAILABLE` when the queue is full of
   * those whose turn comes before; both with `retryAfterMs`.
   */
  run<Result>(turn: Turn, job: () => Promise<Result>): Promise<Result>;
}

export interface HashingGateOptions {
  readonly clock: Clock;
  readonly slots: number;
  readonly queueLimit?: number;
  /** How many of one address may wait. */
  readonly waitingPerAddress?: number;
  /** Whoever has waited longer is refused instead of served: nobody listens for the answer any more. */
  readonly patienceMs?: number | undefined;
  readonly onChange?: (inFlight: number, queued: number) => void;
}

const QUOTA = "password-checks";
const TOO_MANY = "Too many logins at once from this address; try again shortly";

export function createHashingGate(options: HashingGateOptions): HashingGate {
  const { clock, slots, queueLimit = 256, waitingPerAddress = 4, patienceMs = 10_000 } = options;
  const queue = createHashingQueue(clock);
  const busy = new Set<string>();
  let averageMs = 250;

  const full = (): ProblemError =>
    new ProblemError("UNAVAILABLE", "Too many logins at once; try again shortly", {
      retryAfterMs: Math.ceil(Math.max(1000, (averageMs * queue.size()) / slots)),
    });

  const startNext = (): void => {
    for (const { reject } of queue.takeLate(patienceMs)) reject(full());
    const next = busy.size < slots ? queue.takeNext(busy) : undefined;
    if (next) void occupy(next);
    options.onChange?.(busy.size, queue.size());
  };

  const occupy = async ({ account, start }: Waiting): Promise<void> => {
    busy.add(account);
    const startedAt = clock.now();
    await start();
    averageMs += (Math.max(0, clock.now() - startedAt) - averageMs) / 8;
    busy.delete(account);
    startNext();
  };

  const tooMany = (): ProblemError => {
    const retryAfterMs = Math.ceil(Math.max(1000, averageMs * waitingPerAddress));
    const resetSeconds = Math.ceil(retryAfterMs / 1000);
    const window = { limit: waitingPerAddress, windowSeconds: resetSeconds, resetSeconds, remaining: 0 };
    return new ProblemError("RATE_LIMITED", TOO_MANY, { retryAfterMs, quota: { name: QUOTA, ...window } });
  };

  /** Refuses the newcomer, or whoever would have come last. */
  const makeRoom = (newcomer: Waiting): void => {
    if (queue.waitingOf(newcomer.address) >= waitingPerAddress) throw tooMany();
    if (queue.size() < queueLimit) return;
    const last = queue.takeLast(newcomer);
    if (last === newcomer) throw full();
    last.reject(full());
  };

  return {
    run: async (turn, job) =>
      new Promise((resolve, reject) => {
        const start = (): Promise<void> =>
          job().then(
            // On a later turn, so that the next hash begins before this caller goes to the disk.
            (result) => void setImmediate(resolve, result),
            (error: unknown) => void setImmediate(reject, error),
          );
        const entry = { ...turn, since: clock.now(), start, reject };
        makeRoom(entry);
        queue.add(entry);
        startNext();
      }),
  };
}
