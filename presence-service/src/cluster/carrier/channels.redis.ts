import { setTimeout } from "node:timers/promises";
import { errorCode } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import type { Redis } from "ioredis";

const RETRY_MS = 250;

/**
 * The subscribing client that the adapter uses. The adapter awaits no subscription: a refused one would end the process,
 * and nobody would know when one takes effect. This client subscribes when Redis is ready and after every loss of the
 * connection, and never rejects.
 */
export type Channels = ReturnType<typeof createChannels>;

/** `redis` must not subscribe again by itself. */
export const createChannels = (redis: Redis, log: Log) => {
  const wanted = new Set<string>();
  let own: Buffer | undefined;
  let subscribed = false;
  let closed = false;

  const isOwn = (message: Buffer): boolean =>
    own !== undefined && message.subarray(0, own.length).equals(own);

  const subscribe = async (): Promise<void> => {
    while (!subscribed && !closed && redis.status === "ready") {
      const channels = [...wanted];
      try {
        if (channels.length > 0) await redis.ssubscribe(...channels);
        subscribed = channels.length === wanted.size;
      } catch (error) {
        log.warn({ code: errorCode(error) }, "Redis refuses a subscription");
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
    }
  };

  redis.on("ready", () => void subscribe());
  redis.on("close", () => (subscribed = false));

  return {
    /** True while this node receives everything that is published. */
    get subscribed(): boolean {
      return subscribed;
    },

    /** Messages that start with this are this node's own; they are dropped unread. */
    skipStartingWith(beginning: string): void {
      own = Buffer.from(beginning);
    },

    on(event: string, listener: (channel: Buffer, message: Buffer) => void): void {
      redis.on(event, (channel: Buffer, message: Buffer) => {
        if (!isOwn(message)) listener(channel, message);
      });
    },

    ssubscribe(channel: string): void {
      wanted.add(channel);
      subscribed = false;
      if (redis.status === "ready") void subscribe();
    },

    sunsubscribe(channel: string): void {
      wanted.delete(channel);
      if (wanted.size === 0) closed = true;
      if (redis.status === "ready") redis.sunsubscribe(channel).catch(() => undefined);
    },
  };
};
