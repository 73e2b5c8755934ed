import { RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimiterAbstract } from "rate-limiter-flexible";

/** What a limiter needs of the counters it is made of. */
export type Counter = Pick<RateLimiterAbstract, "consume" | "get" | "delete">;

/** How long a server that did not answer is left alone; then one asks it again, and the others do not wait for that. */
const PAUSE_MS = 2_000;
/** A failure that took no longer costs nobody anything, and may be over with the next try. */
const AT_ONCE_MS = 100;

/** Whether asking a server that counts for many is worth the wait, as all who ask it know together. */
export class Reachability {
  readonly #pauseMs: number;
  #pausedUntil: number | undefined;

  constructor(pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  /** False while it is left alone. Whoever is told true reports what came of it; after a pause only one is. */
  mayAsk(): boolean {
    if (this.#pausedUntil === undefined) return true;
    if (performance.now() < this.#pausedUntil) return false;
    this.#pause();
    return true;
  }

  failed(afterMs: number): void {
    if (afterMs > AT_ONCE_MS) this.#pause();
    else this.answered();
  }

  answered(): void {
    this.#pausedUntil = undefined;
  }

  #pause(): void {
    this.#pausedUntil = performance.now() + this.#pauseMs;
  }
}

/** A counter that others share, and one of our own in its place for as long as that cannot be reached. */
export class InsuredCounter implements Counter {
  readonly #shared: Counter;
  readonly #own: Counter;
  readonly #reachability: Reachability;

  constructor(shared: Counter, own: Counter, reachability: Reachability) {
    this.#shared = shared;
    this.#own = own;
    this.#reachability = reachability;
  }

  consume(key: string): Promise<RateLimiterRes> {
    return this.#ask((counter) => counter.consume(key));
  }

  get(key: string): Promise<RateLimiterRes | null> {
    return this.#ask((counter) => counter.get(key));
  }

  delete(key: string): Promise<boolean> {
    return this.#ask((counter) => counter.delete(key));
  }

  async #ask<Result>(work: (counter: Counter) => Promise<Result>): Promise<Result> {
    if (!this.#reachability.mayAsk()) return work(this.#own);
    const askedAt = performance.now();
    try {
      const result = await work(this.#shared);
      this.#reachability.answered();
      return result;
    } catch (error) {
      // A refusal is an answer, too.
      if (error instanceof RateLimiterRes) {
        this.#reachability.answered();
        throw error;
      }
      this.#reachability.failed(performance.now() - askedAt);
      return work(this.#own);
    }
  }
}
