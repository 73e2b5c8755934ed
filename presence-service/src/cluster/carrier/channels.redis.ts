import { setTimeout } from "node:timers/promises";
import { errorCode } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import type { Redis } from "ioredis";

const RETRY_MS = 250;

/**
 * Stands in for the adapter's subscribing client. The adapter awaits no subscription: a refused one would end the
 * process, and nobody would know when one takes effect. Here each is made as soon as Redis is ready, again after every
 * loss, and none rejects.
 */
export class Channels {
  readonly #redis: Redis;
  readonly #log: Log;
  readonly #wanted = new Set<string>();
  #own: Buffer | undefined;
  #inForce = false;
  #closed = false;

  /** The connection does not subscribe again by itself. */
  constructor(redis: Redis, log: Log) {
    this.#redis = redis;
    this.#log = log;
    redis.on("ready", () => void this.#subscribe());
    redis.on("close", () => (this.#inForce = false));
  }

  /** Whether everything published from now on arrives here. */
  get subscribed(): boolean {
    return this.#inForce;
  }

  /** Messages that start with this were published by this node; they are dropped unread. */
  skipStartingWith(beginning: string): void {
    this.#own = Buffer.from(beginning);
  }

  on(event: string, listener: (channel: Buffer, message: Buffer) => void): void {
    this.#redis.on(event, (channel: Buffer, message: Buffer) => {
      if (!this.#isOwn(message)) listener(channel, message);
    });
  }

  ssubscribe(channel: string): void {
    this.#wanted.add(channel);
    this.#inForce = false;
    if (this.#redis.status === "ready") void this.#subscribe();
  }

  sunsubscribe(channel: string): void {
    this.#wanted.delete(channel);
    if (this.#wanted.size === 0) this.#closed = true;
    if (this.#redis.status === "ready") this.#redis.sunsubscribe(channel).catch(() => undefined);
  }

  #isOwn(message: Buffer): boolean {
    return this.#own !== undefined && message.subarray(0, this.#own.length).equals(this.#own);
  }

  async #subscribe(): Promise<void> {
    while (!this.#inForce && !this.#closed && this.#redis.status === "ready") {
      const wanted = [...this.#wanted];
      try {
        if (wanted.length > 0) await this.#redis.ssubscribe(...wanted);
        this.#inForce = wanted.length === this.#wanted.size;
      } catch (error) {
        this.#log.warn({ code: errorCode(error) }, "Redis refuses a subscription");
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
    }
  }
}
