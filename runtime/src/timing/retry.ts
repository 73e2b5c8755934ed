import { setTimeout } from "node:timers/promises";

export interface PauseOptions {
  /** Ends the wait early. */
  readonly signal?: AbortSignal | undefined;
  /** False where the timer must not keep the process alive; default true. */
  readonly ref?: boolean;
}

export interface RetryOptions extends PauseOptions {
  /** The wait between two attempts is between this and twice as long, at random. */
  readonly delayMs: number;
  /** No attempt begins later than this after the first one; default unlimited. */
  readonly limitMs?: number;
  /** False for an error that another attempt cannot avoid; default always true. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Called before each wait. */
  readonly onFailure?: (error: unknown) => void;
}

/** Waits between `ms` and twice as long, at random. Never rejects. */
export async function pause(ms: number, options: PauseOptions = {}): Promise<void> {
  await setTimeout(ms * (1 + Math.random()), undefined, options).catch(() => undefined);
}

/**
 * Calls `attempt` until it succeeds. Rejects with its last error when that is not retryable, when the limit is reached or
 * when `signal` is aborted.
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  { delayMs, limitMs = Infinity, isRetryable = () => true, onFailure, ...waiting }: RetryOptions,
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || performance.now() >= deadline) throw error;
      onFailure?.(error);
      await pause(delayMs, waiting);
      if (waiting.signal?.aborted) throw error;
    }
  }
}

export interface PollOptions extends PauseOptions {
  /** The wait between two looks is between this and twice as long, at random. */
  readonly everyMs: number;
  readonly limitMs: number;
}

/** Looks until there is something: resolves to the first truthy answer of `look`, or to `undefined` at the limit. */
export async function poll<Result>(
  look: () => Result | Promise<Result>,
  { everyMs, limitMs, ...waiting }: PollOptions,
): Promise<Result | undefined> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() >= deadline) return undefined;
    await pause(everyMs, waiting);
  }
}
