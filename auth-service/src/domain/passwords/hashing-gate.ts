import { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";
import { createHashingQueue } from "./hashing-queue.ts";
import type { HashRequest, Waiting } from "./hashing-queue.ts";

/**
 * All password hashing passes this gate (AU8, AB7): at most `slots` hashes at a time, and one per account, so that
 * parallel requests gain no attempts. Addresses take turns: the address with the fewest recent hashes comes first, and
 * an address that the account has used before comes before strangers.
 */
export interface HashingGate {
  /**
   * Refuses with `RATE_LIMITED` if too many jobs of the address wait, and with `UNAVAILABLE` if the queue is full of jobs
   * that come before; both with `retryAfterMs`.
   */
  run<Result>(request: HashRequest, job: () => Promise<Result>): Promise<Result>;
}

export interface HashingGateOptions {
  readonly clock: Clock;
  readonly slots: number;
  readonly queueLimit?: number;
  /** How many jobs of one address may wait. */
  readonly waitingPerAddress?: number;
  /** A job that has waited longer is refused: its client has given up. */
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

  const queueFull = (): ProblemError =>
    new ProblemError("UNAVAILABLE", "Too many logins at once; try again shortly", {
      retryAfterMs: Math.ceil(Math.max(1000, (averageMs * queue.size()) / slots)),
    });

  const startNext = (): void => {
    for (const { reject } of queue.takeLate(patienceMs)) reject(queueFull());
    const next = busy.size < slots ? queue.takeNext(busy) : undefined;
    if (next) void runInSlot(next);
    options.onChange?.(busy.size, queue.size());
  };

  const runInSlot = async ({ account, start }: Waiting): Promise<void> => {
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

  /** In a full queue, refuses the job that would come last, which may be the newcomer. */
  const makeRoom = (newcomer: Waiting): void => {
    if (queue.waitingOf(newcomer.address) >= waitingPerAddress) throw tooMany();
    if (queue.size() < queueLimit) return;
    const last = queue.takeLast(newcomer);
    if (last === newcomer) throw queueFull();
    last.reject(queueFull());
  };

  return {
    run: async (request, job) =>
      new Promise((resolve, reject) => {
        const start = (): Promise<void> =>
          job().then(
            // Resolves on a later turn, so that the next hash starts before this caller continues.
            (result) => void setImmediate(resolve, result),
            (error: unknown) => void setImmediate(reject, error),
          );
        const entry = { ...request, since: clock.now(), start, reject };
        makeRoom(entry);
        queue.add(entry);
        startNext();
      }),
  };
}
