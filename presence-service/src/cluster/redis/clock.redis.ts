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
  /** Redis' time less that of this process' monotonic clock; rather too small than too large. */
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
    const asked = performance.now();
    try {
      const [seconds, microseconds] = await this.#redis.time();
      const time = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
      // It was read between then and now. An answer that came late, or was read late, tells less than what is known.
      const least = time - performance.now();
      const known = this.#ahead ?? -Infinity;
      this.#ahead = known <= time - asked ? Math.max(known, least) : least;
    } catch {
      // What was known before still holds, and is not known at all after the connection's end.
    }
  }
}
