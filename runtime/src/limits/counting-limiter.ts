import { ProblemError } from "@hearth/contracts";
import type { Quota } from "@hearth/contracts";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import type { Counter } from "./insured-counter.ts";
import type { Limiter, LimiterFactory, LimiterOptions } from "./limiter.ts";

class CountingLimiter implements Limiter {
  readonly #options: LimiterOptions;
  readonly #counter: Counter;
  readonly #refused: () => void;

  constructor(options: LimiterOptions, counter: Counter, refused: () => void) {
    this.#options = options;
    this.#refused = refused;
    this.#counter = counter;
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
    this.#refused();
    return new ProblemError("RATE_LIMITED", undefined, {
      retryAfterMs: Math.max(1, result.msBeforeNext),
      quota: this.#quota(result),
    });
  }
}

/** Limiters over counters of `rate-limiter-flexible`, in memory or in Redis. */
export function createCountingLimiters(
  counterOf: (options: LimiterOptions) => Counter,
  metrics?: Metrics,
): LimiterFactory {
  const refusals = metrics?.counter({
    name: "hearth_limiter_refusals_total",
    help: "Hits that a rate limit refused",
    labels: ["limiter"],
  });
  return (options) =>
    new CountingLimiter(options, counterOf(options), () => refusals?.inc({ limiter: options.name }));
}
