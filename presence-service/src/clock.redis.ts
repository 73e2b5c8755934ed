import type { Redis } from "ioredis";

/** How old what is known of Redis' clock may become before it is asked again. */
const FRESH_MS = 1_000;
/** Of the time that a command may take, what is left to the clocks' differing and to the way there. */
const MARGIN = 0.2;

/**
 * The clock of a Redis server, as far as it takes to say until when a command is of use: the one who asks gives up after the
 * connection's `commandTimeout`, and from then on it must not be carried out any more. Measured at each new connection, and
 * about once a second while something is asked.
 */
export class RedisClock {
  readonly #redis: Redis;
  readonly #useMs: number;
  /** Redis' time less that of this process' monotonic clock, at most. */
  #ahead: number | undefined;
  #askedAt = -Infinity;

  constructor(redis: Redis) {
    this.#redis = redis;
    this.#useMs = (redis.options.commandTimeout ?? Infinity) * (1 - MARGIN);
    redis.on("close", () => this.#forget());
  }

  /** Until when a command that is asked now may run, in epoch milliseconds by Redis' clock; empty while not known. */
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
    try {
      const [seconds, microseconds] = await this.#redis.time();
      // It was read before now, so that the clock is at least as far ahead as this.
      this.#ahead = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - performance.now();
    } catch {
      // What was known before still holds, and is not known at all after the connection's end.
    }
  }
}
