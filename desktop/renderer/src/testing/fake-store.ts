import type { ClientStore } from "@hearth/store";
import type { FakeContent } from "./fake-content.ts";
import { HOME_URL } from "./fake-content.ts";

const done = async (): Promise<void> => undefined;
const none = async (): Promise<readonly never[]> => [];

type Writer = Omit<
  Pick<
    ClientStore,
    {
      [Name in keyof ClientStore]: Name extends `${"save" | "postpone" | "drop" | "remove" | "edit" | "change" | "erase"}${string}`
        ? Name
        : never;
    }[keyof ClientStore]
  >,
  "removeMeta"
>;

/** Of all that is written only meta records are kept; the rest is what the content says. */
const writer: Writer = {
  saveProfile: done,
  saveRooms: done,
  removeRoom: done,
  saveUsers: done,
  saveRoomUsers: done,
  removeRoomUser: done,
  saveMessages: done,
  postponeMessages: done,
  dropMessages: done,
  editMessages: done,
  removeMessages: done,
  changeReactions: done,
  saveAttachments: done,
  saveBans: done,
  removeBan: done,
  saveFriends: done,
  removeFriend: done,
  saveEmoji: done,
  removeEmoji: done,
  savePluginData: done,
  removePluginDatum: done,
  saveCredential: done,
  removeCredential: done,
  eraseAll: done,
};

const readerOf = (content: FakeContent) =>
  ({
    rooms: async () => content.rooms,
    room: async (roomId) => content.rooms.find(({ id }) => id === roomId),
    user: async (userId) => content.users.find(({ id }) => id === userId),
    async roomUsers(roomId) {
      return content.members.get(roomId)?.flatMap(({ userId, role, joinedAt }) => {
        const user = content.users.find(({ id }) => id === userId);
        return user === undefined ? [] : [{ ...user, roomId, role, joinedAt, lastSeenAt: null }];
      });
    },
    messages: async () => undefined,
    messagesSince: async () => undefined,
    message: async (messageId) => [...content.messages.values()].flat().find(({ id }) => id === messageId),
    messageEdits: none,
    reactions: none,
    messageAttachments: none,
    attachments: none,
    bans: none,
    isBanned: async () => false,
    pluginDatum: async () => undefined,
    credentials: none,
    friends: none,
    emoji: none,
    messagesBefore: async () => ({ messages: [], hasMore: false }),
    messagesAfter: async () => ({ messages: [], hasMore: false }),
    searchMessages: none,
    usage: async () => ({ messages: 3_412, bytes: 12_600_000 }),
    undelivered: none,
    unread: async () => ({ messages: 0, mentions: 0, first: null }),
    fullMessages: async () => ({ messages: [], next: null }),
    removals: none,
  }) satisfies Partial<ClientStore>;

/** The device's store in memory. */
export function createFakeStore(content: FakeContent): ClientStore {
  const meta = new Map<string, string>();
  const mine = content.users.find(({ id }) => id === content.mine(HOME_URL));
  return {
    ...writer,
    ...readerOf(content),
    profile: async () =>
      mine && {
        id: mine.id,
        username: mine.username ?? "",
        displayName: mine.displayName,
        homeSignalServerUrl: HOME_URL,
        avatarHash: null,
        avatarMime: null,
        cardText: mine.cardText,
        updatedAt: mine.updatedAt,
      },
    setMeta: async (key, value) => void meta.set(key, value),
    removeMeta: async (key) => void meta.delete(key),
    meta: async (key) => meta.get(key),
    metaEntries: async (prefix) =>
      [...meta]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([key, value]) => ({ key, value })),
  };
}
