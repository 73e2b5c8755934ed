import { ProblemError } from "@hearth/contracts";

export interface TokenBucketsOptions {
  /** For metrics and the `RateLimit-Policy` header. */
  readonly name: string;
  readonly perSecond: number;
  /** How much may be taken at once after a pause. */
  readonly burst: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  updatedAt: number;
}

/**
 * A token bucket per key, in this process alone: for budgets of a few seconds, where asking a shared counter would cost
 * more than what it guards. Full buckets are forgotten, so memory follows the keys of the last seconds.
 */
export class TokenBuckets {
  readonly #options: TokenBucketsOptions;
  readonly #now: () => number;
  readonly #fillMs: number;
  readonly #buckets = new Map<string, Bucket>();
  #sweptAt: number;

  constructor(options: TokenBucketsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#fillMs = (options.burst / options.perSecond) * 1000;
    this.#sweptAt = this.#now();
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token; throws `RATE_LIMITED` with its quota (rule ER5) when there is none, and then takes nothing. */
  take(key: string): void {
    const now = this.#now();
    this.#sweep(now);
    const { perSecond, burst } = this.#options;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, updatedAt: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.updatedAt) * perSecond) / 1000);
    bucket.updatedAt = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) throw this.#refusal(((1 - bucket.tokens) * 1000) / perSecond);
    bucket.tokens -= 1;
  }

  #refusal(retryAfterMs: number): ProblemError {
    const { name, burst } = this.#options;
    const windowSeconds = Math.ceil(this.#fillMs / 1000);
    const resetSeconds = Math.ceil(retryAfterMs / 1000);
    const quota = { name, limit: burst, windowSeconds, remaining: 0, resetSeconds };
    return new ProblemError("RATE_LIMITED", undefined, { retryAfterMs, quota });
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#fillMs) return;
    this.#sweptAt = now;
    for (const [key, { updatedAt }] of this.#buckets) {
      if (now - updatedAt >= this.#fillMs) this.#buckets.delete(key);
    }
  }
}
