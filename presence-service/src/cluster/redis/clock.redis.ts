import type { Redis } from "ioredis";

/** The maximum age of the estimate. */
const FRESH_MS = 1_000;
/** The share of a command's time that is kept for clock error and for the way to Redis. */
const MARGIN = 0.2;

/**
 * Estimates a Redis server's clock, to give each command a deadline: its caller gives up after the connection's
 * `commandTimeout`, and the command must not run after that. Measures at each new connection, and about once a second
 * while commands are sent.
 */
export type RedisClock = ReturnType<typeof createRedisClock>;

export const createRedisClock = (redis: Redis) => {
  const usableMs = (redis.options.commandTimeout ?? Infinity) * (1 - MARGIN);
  /** Redis' time minus this process' monotonic clock; rather too small than too large. */
  let ahead: number | undefined;
  let measuredAt = -Infinity;

  redis.on("close", () => {
    ahead = undefined;
    measuredAt = -Infinity;
  });

  const measure = async (): Promise<void> => {
    const asked = performance.now();
    try {
      const [seconds, microseconds] = await redis.time();
      const time = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
      // Redis read its clock between `asked` and now. A late answer is less exact than the estimate.
      const least = time - performance.now();
      const known = ahead ?? -Infinity;
      ahead = known <= time - asked ? Math.max(known, least) : least;
    } catch {
      // The previous estimate still holds; it is dropped when the connection closes.
    }
  };

  return {
    /** The deadline of a command sent now, in epoch milliseconds of Redis' clock; empty while unknown. */
    deadline(): string {
      const now = performance.now();
      if (now - measuredAt >= FRESH_MS) {
        measuredAt = now;
        void measure();
      }
      const deadline = now + usableMs + (ahead ?? Infinity);
      return deadline === Infinity ? "" : deadline.toFixed(0);
    },
  };
};
