import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Metrics } from "../metrics/metrics.ts";
import { createCountingLimiters } from "./counting-limiter.ts";
import type { LimiterFactory } from "./limiter.ts";

/** Limiters of one process. They lose their counts when it ends, and use the system clock. */
export const createMemoryLimiters = (metrics?: Metrics): LimiterFactory =>
  createCountingLimiters(
    ({ points, windowMs }) => new RateLimiterMemory({ points, duration: windowMs / 1000 }),
    metrics,
  );
