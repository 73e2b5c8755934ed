import type {
  DeviceCredential,
  DeviceEmoji,
  DeviceFriend,
  MessageEdit,
  MessageRemoval,
  PluginDatum,
  ReactionChange,
} from "@hearth/device";
import type {
  DeviceAttachment,
  DeviceBan,
  DeviceMessage,
  DeviceProfile,
  DeviceReaction,
  DeviceRoom,
  DeviceRoomUser,
  DeviceUser,
  NewAttachment,
  NewMessage,
  Person,
  RoomMembership,
} from "@hearth/device";

/**
 * Writes to the store. Every call is atomic and idempotent, and rejects with `UNAVAILABLE` while the database cannot
 * serve (rule ER6). The order of calls does not matter (AS4): edits, removals and reactions that come before their
 * message wait for it. The change with the later time wins. Where there is no time (roles, plugin data, meta,
 * credentials, and the delivery of an unsent message) the last call wins.
 *
 * A removal with a time (`at`) wins over everything that began then or before, whichever arrives first. One without a
 * time removes what the device has now, and wins over repetitions of it. A room and a member begin when they joined,
 * a friend when added, a ban when created, an emoji when changed.
 */
export interface DeviceWriter {
  saveProfile(profile: DeviceProfile): Promise<void>;
  saveRooms(rooms: readonly DeviceRoom[]): Promise<void>;
  /** Removes the room and everything that belongs to it. */
  removeRoom(roomId: string, at?: number): Promise<void>;
  saveUsers(users: readonly Person[]): Promise<void>;
  saveRoomUsers(memberships: readonly RoomMembership[]): Promise<void>;
  removeRoomUser(roomId: string, userId: string, at?: number): Promise<void>;
  /** For a known id only the delivery changes, and never back from `sent`. */
  saveMessages(messages: readonly NewMessage[]): Promise<void>;
  /**
   * Moves `pending` messages that are not removed to later times. Other messages, and those that would not move
   * later, are ignored. Readers of changes see the moved ones.
   */
  postponeMessages(positions: readonly MessagePosition[]): Promise<void>;
  /**
   * Removes the messages of a room up to a position, to free space. Unsent ones stay. Readers of changes are not
   * notified: other devices keep the messages.
   */
  dropMessages(roomId: string, upTo: MessagePosition): Promise<void>;
  editMessages(edits: readonly MessageEdit[]): Promise<void>;
  removeMessages(removals: readonly MessageRemoval[]): Promise<void>;
  changeReactions(changes: readonly ReactionChange[]): Promise<void>;
  /** Keeps the `localPath` of a known attachment if the new one has none. */
  saveAttachments(attachments: readonly NewAttachment[]): Promise<void>;
  saveBans(bans: readonly DeviceBan[]): Promise<void>;
  removeBan(roomId: string, userId: string, at?: number): Promise<void>;
  saveFriends(friends: readonly DeviceFriend[]): Promise<void>;
  removeFriend(userId: string, at?: number): Promise<void>;
  saveEmoji(emoji: readonly DeviceEmoji[]): Promise<void>;
  removeEmoji(id: string, at?: number): Promise<void>;
  savePluginData(data: readonly PluginDatum[]): Promise<void>;
  removePluginDatum(datum: Omit<PluginDatum, "value">): Promise<void>;
  /** Rejects with `INVALID_REQUEST` if the key names a secret. */
  setMeta(key: string, value: string): Promise<void>;
  removeMeta(key: string): Promise<void>;
  /** There is one home: saving another one replaces it. */
  saveCredential(credential: DeviceCredential): Promise<void>;
  removeCredential(signalServerUrl: string): Promise<void>;
}

/** A position in the order of messages; a page starts after it. */
export interface MessagePosition {
  readonly timestamp: number;
  readonly id: string;
}

/** A page of messages; `next` is the start of the next page, `null` on the last one. */
export interface MessagePage {
  readonly messages: readonly DeviceMessage[];
  readonly next: MessagePosition | null;
  /** Messages in the room, with removed ones. */
  readonly total: number;
}

/** A position in the order of changes; a page starts after it. */
export interface ChangePosition {
  readonly updatedAt: number;
  readonly id: string;
}

export interface ChangePage {
  readonly messages: readonly DeviceMessage[];
  readonly next: ChangePosition | null;
}

/** Reads from the store. `undefined` means that the record, or the owner of a list, does not exist. */
export interface DeviceReader {
  profile(): Promise<DeviceProfile | undefined>;
  /** By name. */
  rooms(): Promise<readonly DeviceRoom[]>;
  room(roomId: string): Promise<DeviceRoom | undefined>;
  /** By display name; users of the room's instance. */
  roomUsers(roomId: string): Promise<readonly DeviceRoomUser[] | undefined>;
  /**
   * A user of an instance. Without an instance: the user with this id at home, else on the first instance by URL,
   * because ids are unique per instance only.
   */
  user(userId: string, signalServerUrl?: string): Promise<DeviceUser | undefined>;
  /** By (timestamp, id); equally fast at any `offset` (LA2). */
  messages(
    roomId: string,
    page: { readonly limit: number; readonly from: { readonly offset: number } | MessagePosition },
  ): Promise<MessagePage | undefined>;
  /** The same page with its messages as JSON text in UTF-8, to be passed on unparsed. */
  messagesJson(
    roomId: string,
    page: { readonly limit: number; readonly from: { readonly offset: number } | MessagePosition },
  ): Promise<(Omit<MessagePage, "messages"> & { readonly json: Uint8Array }) | undefined>;
  /** What was created, edited or removed after the time, by (updatedAt, id). */
  messagesSince(
    roomId: string,
    page: { readonly limit: number; readonly after: ChangePosition | { readonly updatedAt: number } },
  ): Promise<ChangePage | undefined>;
  /** The same page, its messages as JSON text in UTF-8. */
  messagesSinceJson(
    roomId: string,
    page: { readonly limit: number; readonly after: ChangePosition | { readonly updatedAt: number } },
  ): Promise<(Omit<ChangePage, "messages"> & { readonly json: Uint8Array }) | undefined>;
  message(messageId: string): Promise<DeviceMessage | undefined>;
  /**
   * The texts of an edited message: the original as revision 0 of its `timestamp`, then every known edit, the shown
   * one last. Empty for an unedited or removed message.
   */
  messageEdits(messageId: string): Promise<readonly MessageEdit[] | undefined>;
  /** By (createdAt, emoji, userId). */
  reactions(messageId: string): Promise<readonly DeviceReaction[] | undefined>;
  /** By (createdAt, id). */
  messageAttachments(messageId: string): Promise<readonly DeviceAttachment[] | undefined>;
  /** By (createdAt, id). */
  attachments(): Promise<readonly DeviceAttachment[]>;
  /** In force at `now`, by (createdAt, userId). */
  bans(roomId: string, now: number): Promise<readonly DeviceBan[] | undefined>;
  isBanned(roomId: string, userId: string, now: number): Promise<boolean | undefined>;
  pluginDatum(datum: Omit<PluginDatum, "value">): Promise<{ readonly value: unknown } | undefined>;
  /** `undefined` for a key that names a secret. */
  meta(key: string): Promise<string | undefined>;
  /** Home first, then by URL. */
  credentials(): Promise<readonly DeviceCredential[]>;
  /** By (addedAt, userId). */
  friends(): Promise<readonly DeviceFriend[]>;
  /** By (shortcode, id). */
  emoji(): Promise<readonly DeviceEmoji[]>;
}
