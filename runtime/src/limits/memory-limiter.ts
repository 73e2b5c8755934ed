import { ProblemError } from "@hearth/contracts";
import type { Quota } from "@hearth/contracts";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Limiter, LimiterFactory, LimiterOptions } from "./limiter.ts";

class MemoryLimiter implements Limiter {
  readonly #options: LimiterOptions;
  readonly #counter: RateLimiterMemory;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#counter = new RateLimiterMemory({ points: options.points, duration: options.windowMs / 1000 });
  }

  async consume(key: string): Promise<Quota> {
    try {
      return this.#quota(await this.#counter.consume(key));
    } catch (result) {
      if (result instanceof RateLimiterRes) throw this.#refusal(result);
      throw result;
    }
  }

  async check(key: string): Promise<Quota> {
    const result = await this.#counter.get(key);
    if (result === null || result.msBeforeNext <= 0) return this.#unused();
    if (result.consumedPoints >= this.#options.points) throw this.#refusal(result);
    return this.#quota(result);
  }

  async reset(key: string): Promise<void> {
    await this.#counter.delete(key);
  }

  #quota({ consumedPoints, msBeforeNext }: RateLimiterRes): Quota {
    return {
      ...this.#unused(),
      remaining: Math.max(0, this.#options.points - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    };
  }

  #unused(): Quota {
    const { name, points, windowMs } = this.#options;
    const windowSeconds = Math.ceil(windowMs / 1000);
    return { name, limit: points, windowSeconds, remaining: points, resetSeconds: windowSeconds };
  }

  #refusal(result: RateLimiterRes): ProblemError {
    return new ProblemError("RATE_LIMITED", undefined, {
      retryAfterMs: Math.max(1, result.msBeforeNext),
      quota: this.#quota(result),
    });
  }
}

/** Limiters of one process; what they counted is gone when it ends. Time is the system's. */
export const createMemoryLimiters = (): LimiterFactory => (options) => new MemoryLimiter(options);
