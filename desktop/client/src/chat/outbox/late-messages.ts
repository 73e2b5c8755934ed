import type { DeviceMessage } from "@hearth/device";
import type { ClientStore } from "@hearth/store";
import type { ChatRoom } from "../chat-deps.ts";
import type { PossiblySent } from "./possibly-sent.ts";
import type { MessageTimes } from "../message-times.ts";
import type { ChatEvents } from "../chat-events.ts";

export interface LateParts {
  readonly store: Pick<ClientStore, "undelivered" | "postponeMessages">;
  readonly times: MessageTimes;
  readonly possiblySent: PossiblySent;
  readonly events: ChatEvents;
}

/**
 * A message that has waited longer gets a new timestamp. AB10: receivers replace a timestamp that is more than 30 s
 * older than the server's; a message sent before that keeps the timestamp that this device shows.
 */
const LATE_MS = 25_000;
/** Each message is dated one millisecond after the previous one. More would be dated ahead of what receivers accept. */
const MAX_AT_ONCE = 1_000;

/**
 * Gives a message that waited for long the current time, and moves everything that waits in its channel after it, so
 * that the order stays. Messages that may have been sent already keep their timestamp.
 */
export async function postponeLate(
  { store, times, possiblySent, events }: LateParts,
  room: Pick<ChatRoom, "now">,
  { roomId, channelId, timestamp: writtenAt }: DeviceMessage,
): Promise<void> {
  if (room.now() - writtenAt <= LATE_MS) return;
  await times.assign(
    { roomId, channelId },
    () => room.now(),
    async (first) => {
      const mayBeOut = await possiblySent.all();
      const waiting = (await store.undelivered()).filter(
        (message) =>
          message.roomId === roomId &&
          message.channelId === channelId &&
          message.delivery === "pending" &&
          !mayBeOut.has(message.id),
      );
      const places = waiting.slice(0, MAX_AT_ONCE).map(({ id }, at) => ({ id, timestamp: first + at }));
      await store.postponeMessages(places);
      events.broadcast({ kind: "messages", roomId, messageIds: places.map(({ id }) => id) });
    },
  );
}
