import type { ChannelRef, ClientStore } from "@hearth/store";
import { createSerial } from "./serial.ts";

/** Gives the account's messages their times, one after the other. */
export interface MessageTimes {
  /**
   * Runs `write` with a time of its place: now, and later than every message that is known there, so that an answer
   * never stands above what it answers; but never so far ahead that others would not believe it (AB10). Nobody else in this tab is given a time before it is done.
   */
  assign<Result>(
    channel: ChannelRef,
    now: () => number,
    write: (timestamp: number) => Promise<Result>,
  ): Promise<Result>;
}

/** Less than the 30 s that others accept, for the way to the server. */
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
