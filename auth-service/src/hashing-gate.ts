import { ProblemError } from "@hearth/contracts";
import type { Clock } from "@hearth/runtime";

/**
 * Where all password hashing passes: at most `slots` at a time, first come, first served, and of one account
 * never two at once, so that nobody gains attempts by being parallel (rule AU8).
 */
export interface HashingGate {
  /** Refuses with `UNAVAILABLE` and `retryAfterMs` when the queue is full. */
  run<Result>(account: string, job: () => Promise<Result>): Promise<Result>;
}

export interface HashingGateOptions {
  readonly clock: Clock;
  readonly slots: number;
  readonly queueLimit?: number;
  /** Whoever has waited longer is refused instead of served: nobody listens for the answer any more. */
  readonly patienceMs?: number | undefined;
  readonly onChange?: (inFlight: number, queued: number) => void;
}

interface Waiting {
  readonly account: string;
  readonly since: number;
  readonly start: () => Promise<void>;
  readonly reject: (problem: ProblemError) => void;
}

export function createHashingGate(options: HashingGateOptions): HashingGate {
  const { clock, slots, queueLimit = 128, patienceMs = 10_000 } = options;
  const queue: Waiting[] = [];
  const busy = new Set<string>();
  let averageMs = 250;

  const changed = (): void => options.onChange?.(busy.size, queue.length);

  const refusal = (): ProblemError =>
    new ProblemError("UNAVAILABLE", "Too many logins at once; try again shortly", {
      retryAfterMs: Math.ceil(Math.max(1000, (averageMs * queue.length) / slots)),
    });

  const startNext = (): void => {
    while (queue[0] && clock.now() - queue[0].since > patienceMs) queue.shift()?.reject(refusal());
    const index = busy.size < slots ? queue.findIndex(({ account }) => !busy.has(account)) : -1;
    const [next] = index < 0 ? [] : queue.splice(index, 1);
    if (next) void occupy(next);
    changed();
  };

  const occupy = async ({ account, start }: Waiting): Promise<void> => {
    busy.add(account);
    const startedAt = clock.now();
    await start();
    averageMs += (Math.max(0, clock.now() - startedAt) - averageMs) / 8;
    busy.delete(account);
    startNext();
  };

  return {
    run: async (account, job) => {
      if (queue.length >= queueLimit) throw refusal();
      return new Promise((resolve, reject) => {
        const start = (): Promise<void> =>
          job().then(
            // On a later turn, so that the next hash begins before this caller goes to the disk.
            (result) => void setImmediate(resolve, result),
            (error: unknown) => void setImmediate(reject, error),
          );
        queue.push({ account, since: clock.now(), start, reject });
        startNext();
      });
    },
  };
}
