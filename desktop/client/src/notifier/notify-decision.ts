import { comparePositions } from "../chat/message-position.ts";
import type { ChannelActivity, NewMention } from "../chat/chat.ts";
import type { SavedServer } from "../servers/servers.ts";
import type { PreferencesState } from "../preferences/preferences.ts";

/** Whether the settings ask for a notification about a message. */
export function isWanted(
  { message, isMention }: NewMention,
  server: SavedServer | undefined,
  { notify, mutedServers }: Pick<PreferencesState, "notify" | "mutedServers">,
): boolean {
  if (!server || server.room.muted || mutedServers.includes(server.room.signalServerUrl)) return false;
  if (message.senderId === server.room.actorUserId || notify === "nothing") return false;
  return notify === "all" || isMention || server.room.kind === "direct";
}

/** Whether the message was read on any device: its channel was recounted, and the unread messages are later. */
export const wasRead = ({ message }: NewMention, activity: ChannelActivity | undefined): boolean =>
  activity !== undefined &&
  (activity.lastMessageAt ?? -1) >= message.timestamp &&
  (activity.first === null || comparePositions(activity.first, message) > 0);
