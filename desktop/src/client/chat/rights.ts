import type { DeviceMessage } from "../../device/records.ts";
import type { ClientStore } from "../../store/history.ts";
import type { ChatRoom } from "./chat-deps.ts";
import type { ToldChange } from "./held-changes.ts";

const mayModerate = (role: string | undefined): boolean => role === "owner" || role === "moderator";

/** Whether somebody is an owner or a moderator of the room, as far as this device knows. */
export async function isModerator(
  store: Pick<ClientStore, "roomUsers">,
  { place, actorId }: ChatRoom,
  userId: string,
): Promise<boolean> {
  const { room } = place;
  if (room.ownerId === userId) return true;
  if (userId === actorId) return mayModerate(room.role);
  const people = (await store.roomUsers(room.id)) ?? [];
  return mayModerate(people.find(({ id }) => id === userId)?.role);
}

/** An edit is the author's alone, a removal also a moderator's, a reaction anybody's; all in the message's own room. */
export async function mayChange(
  store: Pick<ClientStore, "roomUsers">,
  room: ChatRoom,
  message: Pick<DeviceMessage, "roomId" | "senderId">,
  change: Pick<ToldChange, "kind" | "roomId" | "authorId">,
): Promise<boolean> {
  if (message.roomId !== change.roomId) return false;
  if (change.kind === "reaction" || message.senderId === change.authorId) return true;
  return change.kind === "removal" && (await isModerator(store, room, change.authorId));
}
