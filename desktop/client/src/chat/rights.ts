import type { DeviceMessage } from "@hearth/device";
import type { ChatRoom } from "./chat-deps.ts";
import type { ReceivedChange } from "./receiving/deferred-changes.ts";
import type { Moderators } from "./moderators.ts";

/** Whether this account is an owner or a moderator of the room. */
export const moderates = ({ server: { room }, actorId }: ChatRoom): boolean =>
  room.ownerId === actorId || room.role !== "member";

/**
 * Only the author may edit, the author and moderators may remove, everybody may react; each only in the message's own
 * room. Rejects if the instance cannot be asked.
 */
export async function mayChange(
  moderators: Moderators,
  chatRoom: ChatRoom,
  message: Pick<DeviceMessage, "roomId" | "senderId">,
  { kind, roomId, authorId }: Pick<ReceivedChange, "kind" | "roomId" | "authorId">,
): Promise<boolean> {
  if (message.roomId !== roomId) return false;
  if (kind === "reaction" || message.senderId === authorId) return true;
  if (kind === "edit") return false;
  if (authorId === chatRoom.actorId) return moderates(chatRoom);
  const { room } = chatRoom.server;
  return room.ownerId === authorId || (await moderators.of(room)).has(authorId);
}
