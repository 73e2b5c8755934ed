import { ProblemError } from "@hearth/contracts";
import type { EventSubject } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";

/** Tells the other services what was written (rule DI7). */
export type Announce = <Payload>(subject: EventSubject<Payload>, payload: Payload) => Promise<void>;

export interface AnnouncementsDeps {
  readonly publish: Announce;
  readonly log: Log;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

type Send = () => Promise<void>;

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;
const MAX_WAITING = 10_000;

/**
 * An announcement follows a write that is already durable, so a bus that is away must not fail the request: what could
 * not be sent waits here and goes out in order when the bus is back. Receivers survive a duplicate.
 */
export class Announcements {
  readonly #deps: AnnouncementsDeps;
  readonly #waiting: Send[] = [];
  #draining = false;
  #stopped = false;

  constructor(deps: AnnouncementsDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  readonly announce: Announce = (subject, payload) =>
    this.deliver(subject.name, () => this.#deps.publish(subject, payload));

  /** Never rejects; `send` is called until it has succeeded once, or has failed for good. */
  async deliver(subject: string, send: Send): Promise<void> {
    if (this.#waiting.length > 0) {
      this.#put(subject, send);
      return;
    }
    try {
      await send();
    } catch (error) {
      this.#deps.log.warn({ err: error, subject }, "an announcement was not taken by the bus");
      if (isRetryable(error)) this.#put(subject, send);
    }
  }

  stop(): void {
    this.#stopped = true;
    if (this.#waiting.length === 0) return;
    this.#deps.log.error({ waiting: this.#waiting.length }, "announcements were given up at the stop");
    this.#waiting.length = 0;
  }

  #put(subject: string, send: Send): void {
    if (this.#stopped) return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.shift();
      this.#deps.log.error({ subject }, "an announcement was given up: too many wait");
    }
    this.#waiting.push(send);
    if (!this.#draining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    let delay = FIRST_RETRY_MS;
    while (!this.#stopped) {
      const next = this.#waiting[0];
      if (next === undefined) break;
      try {
        await next();
      } catch (error) {
        if (isRetryable(error)) {
          await this.#deps.wait(delay);
          delay = Math.min(delay * 2, LAST_RETRY_MS);
          continue;
        }
      }
      if (this.#waiting[0] === next) this.#waiting.shift();
      delay = FIRST_RETRY_MS;
    }
    this.#draining = false;
  }
}

/** Anything else would fail the same way for ever. */
const isRetryable = (error: unknown): boolean => error instanceof ProblemError && error.retryable;
