import type { LIMITS } from "@hearth/contracts";

/** WS12, AB5: grants `perSecond` tokens a second on average, `burst` at once. Holds little: each connection has some. */
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
   * Takes `cost` tokens and returns 0, or takes none and returns the milliseconds until there are enough. A cost above
   * the burst takes a full bucket.
   */
  take(now: number, cost = 1): number {
    const { perSecond, burst } = this.rate;
    // If the clock was set back, the bucket neither fills nor stands still for the difference.
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

  /** The tokens that a full bucket lacked after the last call of `take`. */
  get spent(): number {
    return this.rate.burst - this.tokens;
  }
}

export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** AB5, AB6: the budgets of one connection, account, room and addressee on this node. Sizes in bytes. */
export type Budgets = Readonly<Record<keyof typeof LIMITS.budgets, BucketRate>>;
