import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import { createCountingLimiters } from "./counting-limiter.ts";
import type { LimiterFactory } from "./limiter.ts";

/**
 * Limiters that every process of the cluster shares. While Redis is away each process counts for itself: a limit may
 * then be reached once per process, and nobody is refused for Redis' sake (I15).
 */
export const createRedisLimiters = (redis: Redis, metrics?: Metrics): LimiterFactory =>
  createCountingLimiters(({ name, points, windowMs }) => {
    const duration = windowMs / 1000;
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `hearth:limit:${name}`,
      points,
      duration,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ points, duration }),
    });
  }, metrics);
