import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import { createCountingLimiters } from "./counting-limiter.ts";
import { InsuredCounter, Reachability } from "./insured-counter.ts";
import type { LimiterFactory } from "./limiter.ts";

/**
 * Limiters that every process of the cluster shares. While Redis is away or does not answer, each process counts for
 * itself: a limit may then be reached once per process, nobody is refused for Redis' sake (I15), and hardly anybody waits.
 */
export function createRedisLimiters(
  redis: Redis,
  service: string,
  metrics?: Metrics,
  /** How long a Redis that did not answer is left alone. */
  pauseMs?: number,
): LimiterFactory {
  const reachability = new Reachability(pauseMs);
  return createCountingLimiters(({ name, points, windowMs }) => {
    const duration = windowMs / 1000;
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `hearth:limit:${service}:${name}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
    });
    return new InsuredCounter(shared, new RateLimiterMemory({ points, duration }), reachability);
  }, metrics);
}
