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
 * A message that has waited longer than this gets a new time. AB10: others replace a time that lies more than 30 s before
 * the server's; what goes out before that keeps the time that this device shows.
 */
const LATE_MS = 25_000;
/** Each stands a millisecond behind the one before: more would be dated ahead of what others believe. */
const MAX_AT_ONCE = 1_000;

/**
 * Gives a message that has waited for long the time at which it goes out, and after it everything that waits in its
 * channel, so that their order stays. What may have gone out already keeps the time that others have it with.
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
