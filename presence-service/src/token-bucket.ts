/** WS12: `perSecond` messages a second on average, `burst` at once. Holds two numbers, because each connection has three. */
export class TokenBucket {
  private tokens: number;
  private updatedAt: number;
  private readonly rate: BucketRate;

  constructor(rate: BucketRate, now: number) {
    this.rate = rate;
    this.tokens = rate.burst;
    this.updatedAt = now;
  }

  /** Takes a token and returns 0, or takes none and returns the milliseconds until there is one. */
  take(now: number): number {
    const { perSecond, burst } = this.rate;
    // A clock that was set back must not mint tokens, nor stop the bucket for the difference.
    const elapsed = Math.max(0, now - this.updatedAt);
    this.updatedAt = now;
    this.tokens = Math.min(burst, this.tokens + (elapsed * perSecond) / 1000);
    if (this.tokens >= 1) {
      this.tokens -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.tokens) * 1000) / perSecond);
  }
}

export interface BucketRate {
  readonly perSecond: number;
  readonly burst: number;
}
