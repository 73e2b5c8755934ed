import type { DeviceReader } from "./device-store.ts";

/** A reader that delegates every call to the current reader. If `current` throws, the call rejects. */
export const forwardingReader = (current: () => DeviceReader): DeviceReader => ({
  profile: async () => current().profile(),
  rooms: async () => current().rooms(),
  room: async (roomId) => current().room(roomId),
  roomUsers: async (roomId) => current().roomUsers(roomId),
  user: async (userId, url) => current().user(userId, url),
  messages: async (roomId, page) => current().messages(roomId, page),
  messagesJson: async (roomId, page) => current().messagesJson(roomId, page),
  messagesSince: async (roomId, page) => current().messagesSince(roomId, page),
  messagesSinceJson: async (roomId, page) => current().messagesSinceJson(roomId, page),
  message: async (messageId) => current().message(messageId),
  messageEdits: async (messageId) => current().messageEdits(messageId),
  reactions: async (messageId) => current().reactions(messageId),
  messageAttachments: async (messageId) => current().messageAttachments(messageId),
  attachments: async () => current().attachments(),
  bans: async (roomId, now) => current().bans(roomId, now),
  isBanned: async (roomId, userId, now) => current().isBanned(roomId, userId, now),
  pluginDatum: async (datum) => current().pluginDatum(datum),
  meta: async (key) => current().meta(key),
  credentials: async () => current().credentials(),
  friends: async () => current().friends(),
  emoji: async () => current().emoji(),
});
