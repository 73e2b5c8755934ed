import { ProblemError } from "@hearth/contracts";

export interface TokenBucketsOptions {
  /** For metrics and the `RateLimit-Policy` header. */
  readonly name: string;
  readonly perSecond: number;
  /** How many tokens a full bucket holds. */
  readonly burst: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

interface Bucket {
  tokens: number;
  updatedAt: number;
}

/**
 * A token bucket per key, in this process alone. It serves budgets of a few seconds, where a shared counter would cost
 * more than the work it guards. Full buckets are dropped, so memory use follows the keys of the last seconds.
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

  /** The number of buckets that are not full. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token, or throws `RATE_LIMITED` with the quota (rule ER5) when the bucket is empty. */
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
