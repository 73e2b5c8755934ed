import type { ChannelRef, ClientStore } from "@hearth/store";
import { createSerial } from "./serial.ts";

/** Assigns timestamps to the account's messages, one after the other. */
export interface MessageTimes {
  /**
   * Runs `write` with a timestamp: now, and later than every known message of the channel, so that a reply never
   * stands above what it answers; but never so far ahead that others would replace it (AB10). Calls in this tab wait
   * for each other.
   */
  assign<Result>(
    channel: ChannelRef,
    now: () => number,
    write: (timestamp: number) => Promise<Result>,
  ): Promise<Result>;
}

/** Others accept 30 s; the rest is for the way to the server. */
const MAX_AHEAD_MS = 25_000;

export function createMessageTimes(store: Pick<ClientStore, "messagesBefore">): MessageTimes {
  const inOrder = createSerial();
  return {
    assign: async (channel, now, write) =>
      inOrder(async () => {
        const { messages } = await store.messagesBefore(channel, { limit: 1, before: null });
        const current = now();
        const behindAll = (messages.at(-1)?.timestamp ?? 0) + 1;
        return write(Math.max(current, Math.min(behindAll, current + MAX_AHEAD_MS)));
      }),
  };
}
