import { comparePositions } from "../chat/message-position.ts";
import type { ChannelActivity, NewMention } from "../chat/chat.ts";
import type { SavedServer } from "../servers/servers.ts";
import type { PreferencesState } from "../preferences/preferences.ts";

/** Whether somebody wants to be told of a message, wherever they look. */
export function isWanted(
  { message, isMention }: NewMention,
  server: SavedServer | undefined,
  { notify, mutedServers }: Pick<PreferencesState, "notify" | "mutedServers">,
): boolean {
  if (!server || server.room.muted || mutedServers.includes(server.room.signalServerUrl)) return false;
  if (message.senderId === server.room.actorUserId || notify === "nothing") return false;
  return notify === "all" || isMention || server.room.kind === "direct";
}

/** Whether it was read, here or on another device: its channel was counted since, and what is unread is behind it. */
export const wasRead = ({ message }: NewMention, activity: ChannelActivity | undefined): boolean =>
  activity !== undefined &&
  (activity.lastMessageAt ?? -1) >= message.timestamp &&
  (activity.first === null || comparePositions(activity.first, message) > 0);
