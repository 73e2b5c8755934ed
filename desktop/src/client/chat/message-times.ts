import type { ChannelPlace, ClientStore } from "../../store/history.ts";
import { createSerial } from "./serial.ts";

/** Gives the account's messages their times, one after the other. */
export interface MessageTimes {
  /**
   * Runs `write` with a time of its place: now, and later than every message that is known there, so that an answer
   * never stands above what it answers. Nobody else in this tab is given a time before it is done.
   */
  give<Result>(
    place: ChannelPlace,
    now: () => number,
    write: (timestamp: number) => Promise<Result>,
  ): Promise<Result>;
}

export function createMessageTimes(store: Pick<ClientStore, "messagesBefore">): MessageTimes {
  const inOrder = createSerial();
  return {
    give: async (place, now, write) =>
      inOrder(async () => {
        const { messages } = await store.messagesBefore(place, { limit: 1, before: null });
        return write(Math.max(now(), (messages.at(-1)?.timestamp ?? 0) + 1));
      }),
  };
}
