import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import { createCountingLimiters } from "./counting-limiter.ts";
import type { LimiterFactory } from "./limiter.ts";

/** Limiters of one process; what they counted is gone when it ends. Time is the system's. */
export const createMemoryLimiters = (metrics?: Metrics): LimiterFactory =>
  createCountingLimiters(
    ({ points, windowMs }) => new RateLimiterMemory({ points, duration: windowMs / 1000 }),
    metrics,
  );
