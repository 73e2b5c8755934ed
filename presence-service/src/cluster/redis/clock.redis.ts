import type { Redis } from "ioredis";

/** The maximum age of the estimate. */
const FRESH_MS = 1_000;
/** The share of a command's time that is kept for clock error and for the way to Redis. */
const MARGIN = 0.2;

/**
 * Estimates a Redis server's clock, to give each command a deadline: its caller gives up after the connection's
 * `commandTimeout`, and the command must not run after that. Measured at each new connection, and about once a second
 * while commands are sent.
 */
export class RedisClock {
  readonly #redis: Redis;
  readonly #useMs: number;
  /** Redis' time minus this process' monotonic clock; errs on the small side. */
  #ahead: number | undefined;
  #askedAt = -Infinity;

  constructor(redis: Redis) {
    this.#redis = redis;
    this.#useMs = (redis.options.commandTimeout ?? Infinity) * (1 - MARGIN);
    redis.on("close", () => this.#forget());
  }

  /** The deadline of a command sent now, in epoch milliseconds of Redis' clock; empty while unknown. */
  deadline(): string {
    const now = performance.now();
    if (now - this.#askedAt >= FRESH_MS) {
      this.#askedAt = now;
      void this.#ask();
    }
    const deadline = now + this.#useMs + (this.#ahead ?? Infinity);
    return deadline === Infinity ? "" : deadline.toFixed(0);
  }

  #forget(): void {
    this.#ahead = undefined;
    this.#askedAt = -Infinity;
  }

  async #ask(): Promise<void> {
    const asked = performance.now();
    try {
      const [seconds, microseconds] = await this.#redis.time();
      const time = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
      // Redis read its clock between `asked` and now. A late answer is less exact than the estimate.
      const least = time - performance.now();
      const known = this.#ahead ?? -Infinity;
      this.#ahead = known <= time - asked ? Math.max(known, least) : least;
    } catch {
      // The previous estimate still holds; it is dropped when the connection ends.
    }
  }
}
