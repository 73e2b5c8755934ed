/// <reference lib="dom" />
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type {
  DeviceCredential,
  DeviceFriend,
  NewAttachment,
  ReactionChange,
  RoomMembership,
} from "@hearth/device";
import type { EditContent } from "@hearth/device";
import type { DeviceBan, DeviceMessage, DeviceProfile, DeviceRoom, DeviceUser } from "@hearth/device";

/** A message with the fields of its indexes. */
export interface StoredMessage extends DeviceMessage {
  /** The original text of an edited message. */
  readonly original: string | null;
  /** The last change of any part of `FullMessage`. */
  readonly toldAt: number;
  /** The id in code point order; the database compares code units. */
  readonly sortId: string;
  /** The channel; `null` cannot be a key. */
  readonly channel: string | 0;
  /** Only for unsent messages. */
  readonly outgoing: readonly [timestamp: number, sortId: string] | null;
  /** One entry per other user that a message mentions, unless it is removed. */
  readonly mentionKeys: readonly (readonly [
    roomId: string,
    channel: string | 0,
    userId: string,
    timestamp: number,
    sortId: string,
  ])[];
}

/** Changes of a message besides its original text, kept also before the message arrives. */
export interface MessageChanges {
  readonly messageId: string;
  readonly roomId: string;
  readonly edits: readonly EditContent[];
  readonly deletedAt: number | null;
}

export interface StoredRemoval {
  readonly kind: string;
  readonly id: string;
  readonly member: string;
  readonly removedAt: number;
}

export interface StoredEmoji {
  readonly id: string;
  readonly shortcode: string;
  readonly mime: string;
  readonly hash: string;
  readonly bytes: ArrayBuffer;
  readonly updatedAt: number;
}

export interface StoredPluginDatum {
  readonly pluginId: string;
  readonly key: string;
  readonly scope: string;
  /** Empty in the scope `local`. */
  readonly serverId: string;
  /** JSON text. */
  readonly value: string;
}

export interface DeviceSchema extends DBSchema {
  profile: { key: 1; value: DeviceProfile };
  rooms: { key: string; value: DeviceRoom };
  roomUsers: { key: [roomId: string, userId: string]; value: RoomMembership };
  bans: { key: [roomId: string, userId: string]; value: DeviceBan };
  users: { key: [id: string, signalServerUrl: string]; value: Omit<DeviceUser, "isFriend"> };
  friends: { key: string; value: DeviceFriend };
  removals: { key: [kind: string, id: string, member: string]; value: StoredRemoval };
  messages: {
    key: string;
    value: StoredMessage;
    indexes: {
      inRoom: [roomId: string, timestamp: number, sortId: string];
      inChannel: [roomId: string, channel: string | 0, timestamp: number, sortId: string];
      inTime: [timestamp: number, sortId: string];
      byChange: [roomId: string, updatedAt: number, sortId: string];
      byLore: [roomId: string, toldAt: number, sortId: string];
      outgoing: [timestamp: number, sortId: string];
      mentions: StoredMessage["mentionKeys"][number] & IDBValidKey;
    };
  };
  messageChanges: {
    key: [messageId: string, roomId: string];
    value: MessageChanges;
    indexes: { ofRoom: string };
  };
  reactions: { key: [messageId: string, emoji: string, userId: string]; value: ReactionChange };
  attachments: {
    key: string;
    value: NewAttachment;
    indexes: { ofRoom: string; ofMessage: string };
  };
  emoji: { key: string; value: StoredEmoji };
  pluginData: {
    key: [pluginId: string, key: string, scope: string, serverId: string];
    value: StoredPluginDatum;
    indexes: { ofServer: string };
  };
  meta: { key: string; value: { readonly key: string; readonly value: string } };
  /** No field may contain a token or password: those are kept elsewhere (interface 2.7). */
  credentials: { key: string; value: DeviceCredential };
  /** The greatest time of change so far, even if its record is gone. */
  changeTime: { key: 1; value: number };
}

export type StoreName = StoreNames<DeviceSchema>;

/** All object stores except the time of change, which survives erasing. */
export const CONTENT_STORES = [
  "profile",
  "rooms",
  "roomUsers",
  "bans",
  "users",
  "friends",
  "removals",
  "messages",
  "messageChanges",
  "reactions",
  "attachments",
  "emoji",
  "pluginData",
  "meta",
  "credentials",
] as const satisfies readonly StoreName[];

export type Database = IDBPDatabase<DeviceSchema>;
export type ReadTransaction<Names extends StoreName> = IDBPTransaction<DeviceSchema, Names[]>;
export type WriteTransaction<Names extends StoreName> = IDBPTransaction<DeviceSchema, Names[], "readwrite">;

export type UpgradeTransaction = IDBPTransaction<DeviceSchema, StoreName[], "versionchange">;

export interface Migration {
  readonly number: number;
  /** Only awaits requests of the opening transaction. */
  readonly apply: (database: Database, transaction: UpgradeTransaction) => void | Promise<void>;
}

function createMessageStores(database: Database): void {
  const messages = database.createObjectStore("messages", { keyPath: "id" });
  messages.createIndex("inRoom", ["roomId", "timestamp", "sortId"]);
  messages.createIndex("inChannel", ["roomId", "channel", "timestamp", "sortId"]);
  messages.createIndex("inTime", ["timestamp", "sortId"]);
  messages.createIndex("byChange", ["roomId", "updatedAt", "sortId"]);
  messages.createIndex("byLore", ["roomId", "toldAt", "sortId"]);
  messages.createIndex("outgoing", "outgoing");
  messages.createIndex("mentions", "mentionKeys", { multiEntry: true });
  const changes = database.createObjectStore("messageChanges", { keyPath: ["messageId", "roomId"] });
  changes.createIndex("ofRoom", "roomId");
  database.createObjectStore("reactions", { keyPath: ["messageId", "emoji", "userId"] });
  const attachments = database.createObjectStore("attachments", { keyPath: "id" });
  attachments.createIndex("ofRoom", "roomId");
  attachments.createIndex("ofMessage", "messageId");
  database.createObjectStore("changeTime");
}

function createFirstSchema(database: Database): void {
  database.createObjectStore("profile");
  database.createObjectStore("rooms", { keyPath: "id" });
  database.createObjectStore("roomUsers", { keyPath: ["roomId", "userId"] });
  database.createObjectStore("bans", { keyPath: ["roomId", "userId"] });
  database.createObjectStore("users", { keyPath: "id" });
  database.createObjectStore("friends", { keyPath: "userId" });
  database.createObjectStore("removals", { keyPath: ["kind", "id", "member"] });
  createMessageStores(database);
  database.createObjectStore("emoji", { keyPath: "id" });
  const pluginData = database.createObjectStore("pluginData", {
    keyPath: ["pluginId", "key", "scope", "serverId"],
  });
  pluginData.createIndex("ofServer", "serverId");
  database.createObjectStore("meta", { keyPath: "key" });
  database.createObjectStore("credentials", { keyPath: "signalServerUrl" });
}

/** Users are keyed by instance and id: an instance cannot rename users of another one. */
async function keepPeopleByInstance(database: Database, transaction: UpgradeTransaction): Promise<void> {
  const people = await transaction.objectStore("users").getAll();
  database.deleteObjectStore("users");
  const users = database.createObjectStore("users", { keyPath: ["id", "signalServerUrl"] });
  await Promise.all(people.map((person) => users.put(person)));
}

/** By number, from 1. Released numbers never change. */
export const migrations: readonly Migration[] = [
  { number: 1, apply: createFirstSchema },
  { number: 2, apply: keepPeopleByInstance },
];
