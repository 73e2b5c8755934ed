import type { DeviceMessage } from "./records/message.ts";
import type { DeviceRoom } from "./records/room.ts";

/** AB12: whether a message's sender is blocked on the instance of its room. */
export function hidingOf(
  blocked: readonly { readonly signalServerUrl: string; readonly userId: string }[],
  rooms: readonly Pick<DeviceRoom, "id" | "signalServerUrl">[],
): (message: Pick<DeviceMessage, "roomId" | "senderId">) => boolean {
  const byUrl = Map.groupBy(blocked, ({ signalServerUrl }) => signalServerUrl);
  const byRoom = new Map(
    rooms.map(({ id, signalServerUrl }) => [
      id,
      new Set(byUrl.get(signalServerUrl)?.map(({ userId }) => userId)),
    ]),
  );
  return ({ roomId, senderId }) => byRoom.get(roomId)?.has(senderId) === true;
}
