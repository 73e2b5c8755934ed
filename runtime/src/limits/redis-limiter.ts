import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import { createCountingLimiters } from "./counting-limiter.ts";
import { InsuredCounter, CircuitBreaker } from "./insured-counter.ts";
import type { LimiterFactory } from "./limiter.ts";

/**
 * Limiters that all processes of the cluster share. While Redis is unreachable each process counts by itself: a limit
 * then holds per process, no request is refused because of Redis (I15), and almost none waits for it.
 */
export function createRedisLimiters(
  redis: Redis,
  service: string,
  metrics?: Metrics,
  /** How long Redis is not asked after it did not answer. */
  pauseMs?: number,
): LimiterFactory {
  const breaker = new CircuitBreaker(pauseMs);
  return createCountingLimiters(({ name, points, windowMs }) => {
    const duration = windowMs / 1000;
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `hearth:limit:${service}:${name}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
    });
    return new InsuredCounter(shared, new RateLimiterMemory({ points, duration }), breaker);
  }, metrics);
}
