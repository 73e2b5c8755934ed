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
 * What the app writes. Every call is all or nothing, may be repeated, and rejects with `UNAVAILABLE` while the
 * database cannot serve (rule ER6). Order of arrival does not matter (AS4): an edit, a removal or a reaction that comes
 * before its message waits for it. Of two words about one thing the later counts, by the time that they carry; where
 * they carry none (roles, plugin data, meta, credentials, and the delivery of a message that is not sent yet) the last
 * call does.
 *
 * A removal that says when it happened (`at`) stands against everything that began then or before, whichever arrives
 * first; one that does not concerns what the device knows now, and stands against being told the same again. A room
 * and a member begin when they joined, a friend when added, a ban when made, an emoji when changed.
 */
export interface DeviceWriter {
  saveProfile(profile: DeviceProfile): Promise<void>;
  saveRooms(rooms: readonly DeviceRoom[]): Promise<void>;
  /** Forgets the room and everything that belongs to it. */
  removeRoom(roomId: string, at?: number): Promise<void>;
  saveUsers(users: readonly Person[]): Promise<void>;
  saveRoomUsers(memberships: readonly RoomMembership[]): Promise<void>;
  removeRoomUser(roomId: string, userId: string, at?: number): Promise<void>;
  /** A message whose id is known only changes its delivery state, and never back from `sent`. */
  saveMessages(messages: readonly NewMessage[]): Promise<void>;
  /**
   * Gives messages that are `pending`, and not removed, a later time. One that is not, is not known, or would not move
   * to a later time stays as it is; a reader of changes is told of those that moved.
   */
  postponeMessages(positions: readonly MessagePosition[]): Promise<void>;
  /**
   * Forgets the messages of a room up to a place, with all that belongs to them, to make room on the device. Those that
   * wait to be sent stay. Whoever reads changes is not told: elsewhere they are as they were.
   */
  dropMessages(roomId: string, upTo: MessagePosition): Promise<void>;
  editMessages(edits: readonly MessageEdit[]): Promise<void>;
  removeMessages(removals: readonly MessageRemoval[]): Promise<void>;
  changeReactions(changes: readonly ReactionChange[]): Promise<void>;
  /** A known attachment keeps a `localPath` that the new one does not name. */
  saveAttachments(attachments: readonly NewAttachment[]): Promise<void>;
  saveBans(bans: readonly DeviceBan[]): Promise<void>;
  removeBan(roomId: string, userId: string, at?: number): Promise<void>;
  saveFriends(friends: readonly DeviceFriend[]): Promise<void>;
  removeFriend(userId: string, at?: number): Promise<void>;
  saveEmoji(emoji: readonly DeviceEmoji[]): Promise<void>;
  removeEmoji(id: string, at?: number): Promise<void>;
  savePluginData(data: readonly PluginDatum[]): Promise<void>;
  removePluginDatum(datum: Omit<PluginDatum, "value">): Promise<void>;
  /** Refuses a key that names a secret with `INVALID_REQUEST`. */
  setMeta(key: string, value: string): Promise<void>;
  removeMeta(key: string): Promise<void>;
  /** There is one home: saving another ends the one before. */
  saveCredential(credential: DeviceCredential): Promise<void>;
  removeCredential(signalServerUrl: string): Promise<void>;
}

/** A place in the order of messages; pages start right behind it. */
export interface MessagePosition {
  readonly timestamp: number;
  readonly id: string;
}

/** A page of messages. Its `next` is where the page behind it starts, `null` on the last one. */
export interface MessagePage {
  readonly messages: readonly DeviceMessage[];
  readonly next: MessagePosition | null;
  /** Messages in the room, removed ones included. */
  readonly total: number;
}

/** A change seen by `messagesSince`; pages of it start right behind one. */
export interface ChangePosition {
  readonly updatedAt: number;
  readonly id: string;
}

export interface ChangePage {
  readonly messages: readonly DeviceMessage[];
  readonly next: ChangePosition | null;
}

/** What can be asked of a device. `undefined` is "not there"; a list of something that is not there is too. */
export interface DeviceReader {
  profile(): Promise<DeviceProfile | undefined>;
  /** By name. */
  rooms(): Promise<readonly DeviceRoom[]>;
  room(roomId: string): Promise<DeviceRoom | undefined>;
  /** By display name; people of the room's instance. */
  roomUsers(roomId: string): Promise<readonly DeviceRoomUser[] | undefined>;
  /**
   * A person of an instance. Without an instance whoever has the id at home, else on the first instance by URL: ids are
   * unique within an instance alone.
   */
  user(userId: string, signalServerUrl?: string): Promise<DeviceUser | undefined>;
  /** By (timestamp, id); costs the same at any `offset` (LA2). */
  messages(
    roomId: string,
    page: { readonly limit: number; readonly from: { readonly offset: number } | MessagePosition },
  ): Promise<MessagePage | undefined>;
  /** The same page, its messages as the JSON text of the array in UTF-8: for whoever passes it on without looking at it. */
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
   * The texts of an edited message: the one it was written with as revision 0 of its `timestamp`, then every edit that
   * is known, the one that is shown last. None of a message that was not edited, or was removed.
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
  /** A key that names a secret is never there. */
  meta(key: string): Promise<string | undefined>;
  /** The home first, then by URL. */
  credentials(): Promise<readonly DeviceCredential[]>;
  /** By (addedAt, userId). */
  friends(): Promise<readonly DeviceFriend[]>;
  /** By (shortcode, id). */
  emoji(): Promise<readonly DeviceEmoji[]>;
}
