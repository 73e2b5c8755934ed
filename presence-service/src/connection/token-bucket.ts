import type { LIMITS } from "@hearth/contracts";

/** WS12, AB5: `perSecond` tokens a second on average, `burst` at once. Holds two numbers, because each connection has some. */
export class TokenBucket {
  private tokens: number;
  private updatedAt: number;
  private readonly rate: BucketRate;

  constructor(rate: BucketRate, now: number) {
    this.rate = rate;
    this.tokens = rate.burst;
    this.updatedAt = now;
  }

  /**
   * Takes so many tokens and returns 0, or takes none and returns the milliseconds until there are enough. What costs
   * more than the burst needs a full bucket.
   */
  take(now: number, cost = 1): number {
    const { perSecond, burst } = this.rate;
    // A clock that was set back must not mint tokens, nor stop the bucket for the difference.
    const elapsed = Math.max(0, now - this.updatedAt);
    this.updatedAt = now;
    this.tokens = Math.min(burst, this.tokens + (elapsed * perSecond) / 1000);
    const needed = Math.min(cost, burst);
    if (this.tokens >= needed) {
      this.tokens -= needed;
      return 0;
    }
    return Math.ceil(((needed - this.tokens) * 1000) / perSecond);
  }

  /** What was missing from a full bucket when it was last taken from. */
  get spent(): number {
    return this.rate.burst - this.tokens;
  }
}

export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** AB5, AB6: what one connection, account, room and addressee may take of this node. Sizes in bytes. */
export type Budgets = Readonly<Record<keyof typeof LIMITS.budgets, BucketRate>>;
