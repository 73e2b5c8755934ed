import type { Quota } from "@hearth/contracts";

/** A fixed window counter per key. A refused hit does not lengthen the window (rule AU8). */
export interface Limiter {
  /** Counts one hit; rejects with `RATE_LIMITED`, its `quota` and `retryAfterMs` when the window is used up. */
  consume(key: string): Promise<Quota>;
  /** Rejects like `consume`, but counts nothing. */
  check(key: string): Promise<Quota>;
  /** Forgets the key's window. */
  reset(key: string): Promise<void>;
}

export interface LimiterOptions {
  /** For metrics and the `RateLimit-Policy` header. */
  readonly name: string;
  readonly points: number;
  readonly windowMs: number;
}

/** Makes limiters; the embedded one counts in memory. */
export type LimiterFactory = (options: LimiterOptions) => Limiter;
