import { RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimiterAbstract } from "rate-limiter-flexible";

/** The counter operations that a limiter uses. */
export type Counter = Pick<RateLimiterAbstract, "consume" | "get" | "delete">;

/** How long the server is not asked after it did not answer. Then one caller tries, and the others do not wait for it. */
const PAUSE_MS = 2_000;
/** A failure as quick as this delays nobody, so the next caller may try at once. */
const AT_ONCE_MS = 100;

/** A circuit breaker for the shared counters: all limiters of a process learn together that the server is unreachable. */
export class CircuitBreaker {
  readonly #pauseMs: number;
  #pausedUntil: number | undefined;

  constructor(pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  /** False during a pause. After a pause one caller gets true; callers that get true report `answered` or `failed`. */
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

/** A shared counter, with a counter of this process as the fallback while the shared one is unreachable. */
export class InsuredCounter implements Counter {
  readonly #shared: Counter;
  readonly #own: Counter;
  readonly #breaker: CircuitBreaker;

  constructor(shared: Counter, own: Counter, breaker: CircuitBreaker) {
    this.#shared = shared;
    this.#own = own;
    this.#breaker = breaker;
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
    if (!this.#breaker.mayAsk()) return work(this.#own);
    const askedAt = performance.now();
    try {
      const result = await work(this.#shared);
      this.#breaker.answered();
      return result;
    } catch (error) {
      // A refusal is an answer too.
      if (error instanceof RateLimiterRes) {
        this.#breaker.answered();
        throw error;
      }
      this.#breaker.failed(performance.now() - askedAt);
      return work(this.#own);
    }
  }
}
