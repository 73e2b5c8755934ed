import type { ClientStore } from "@hearth/store";

/** The closed list of what the window may ask of the device's store, and by which of its two channels. */
export const STORE_METHODS = {
  profile: "read",
  rooms: "read",
  room: "read",
  roomUsers: "read",
  user: "read",
  messages: "read",
  messagesSince: "read",
  message: "read",
  messageEdits: "read",
  reactions: "read",
  messageAttachments: "read",
  attachments: "read",
  bans: "read",
  isBanned: "read",
  pluginDatum: "read",
  meta: "read",
  credentials: "read",
  friends: "read",
  emoji: "read",
  messagesBefore: "read",
  messagesAfter: "read",
  searchMessages: "read",
  undelivered: "read",
  unread: "read",
  fullMessages: "read",
  removals: "read",
  usage: "read",
  metaEntries: "read",
  saveProfile: "write",
  saveRooms: "write",
  removeRoom: "write",
  saveUsers: "write",
  saveRoomUsers: "write",
  removeRoomUser: "write",
  saveMessages: "write",
  postponeMessages: "write",
  dropMessages: "write",
  editMessages: "write",
  removeMessages: "write",
  changeReactions: "write",
  saveAttachments: "write",
  saveBans: "write",
  removeBan: "write",
  saveFriends: "write",
  removeFriend: "write",
  saveEmoji: "write",
  removeEmoji: "write",
  savePluginData: "write",
  removePluginDatum: "write",
  setMeta: "write",
  removeMeta: "write",
  saveCredential: "write",
  removeCredential: "write",
  eraseAll: "write",
} as const satisfies Record<keyof ClientStore, "read" | "write">;

export type StoreMethod = keyof typeof STORE_METHODS;

/** Every method of the store, made by what makes one. */
export function storeOf(
  makeMethod: (
    method: StoreMethod,
    kind: "read" | "write",
  ) => (...args: readonly unknown[]) => Promise<unknown>,
): ClientStore {
  const names = Object.keys(STORE_METHODS) as StoreMethod[];
  const methods = names.map((method) => [method, makeMethod(method, STORE_METHODS[method])]);
  return Object.fromEntries(methods) as ClientStore;
}
