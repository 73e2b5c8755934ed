import type { Clock } from "@hearth/runtime";
import type {
  DeviceCredential,
  DeviceEmoji,
  MessageEdit,
  NewAttachment,
  NewMessage,
  ReactionChange,
  RoomMembership,
} from "@hearth/device";
import type { DeviceBan, DeviceProfile, DeviceRoom, DeviceUser } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";

export interface StoreUnderTest {
  readonly writer: DeviceWriter;
  readonly reader: DeviceReader;
  close(): void;
}

/** Opens an empty store. */
export type OpenStore = (clock: Clock) => Promise<StoreUnderTest>;

export const T0 = 1_700_000_000_000;
export const ROOM = "room-1";

/** A seeded random number generator, so that failures can be repeated. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function shuffled<Item>(items: readonly Item[], roll: (below: number) => number): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(roll(rest.length), 1));
}

export const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) =>
        permutations(items.toSpliced(index, 1)).map((others) => [item, ...others]),
      );

export const aRoom = (fields: Partial<DeviceRoom> = {}): DeviceRoom => ({
  id: ROOM,
  kind: "server",
  name: "Garden",
  description: "What grows",
  signalServerUrl: "https://chat.example",
  actorUserId: "user-me",
  iconHash: null,
  tags: ["plants", "öl"],
  visibility: "private",
  ownerId: "user-1",
  peerUserId: null,
  role: "member",
  channels: [{ id: "channel-1", name: "general", kind: "text", position: 0 }],
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: T0,
  joinedAt: T0 + 1,
  updatedAt: T0 + 2,
  ...fields,
});

export const aMessage = (id: string, fields: Partial<NewMessage> = {}): NewMessage => ({
  id,
  roomId: ROOM,
  channelId: "channel-1",
  senderId: "user-1",
  senderDisplayName: "Una",
  content: `text of ${id}`,
  replyToId: null,
  mentions: [],
  timestamp: T0,
  delivery: "sent",
  clientInstanceId: null,
  ...fields,
});

export const anEdit = (
  messageId: string,
  revision: number,
  fields: Partial<MessageEdit> = {},
): MessageEdit => ({
  messageId,
  roomId: ROOM,
  content: `revision ${revision} of ${messageId}`,
  revision,
  editedAt: T0 + revision,
  ...fields,
});

export const aReaction = (messageId: string, fields: Partial<ReactionChange> = {}): ReactionChange => ({
  messageId,
  emoji: "🌱",
  userId: "user-2",
  present: true,
  at: T0,
  ...fields,
});

export const anAttachment = (id: string, fields: Partial<NewAttachment> = {}): NewAttachment => ({
  id,
  messageId: "message-1",
  roomId: ROOM,
  filename: "leaf.png",
  size: 12,
  mime: "image/png",
  hash: "ab".repeat(32),
  createdAt: T0,
  localPath: null,
  ...fields,
});

export const aUser = (
  id: string,
  fields: Partial<Omit<DeviceUser, "isFriend">> = {},
): Omit<DeviceUser, "isFriend"> => ({
  id,
  username: id,
  displayName: `Name of ${id}`,
  signalServerUrl: "https://chat.example",
  avatarHash: null,
  avatarMime: null,
  cardText: "",
  updatedAt: T0,
  ...fields,
});

export const aMembership = (userId: string, fields: Partial<RoomMembership> = {}): RoomMembership => ({
  roomId: ROOM,
  userId,
  role: "member",
  joinedAt: T0,
  lastSeenAt: null,
  ...fields,
});

export const aBan = (userId: string, fields: Partial<DeviceBan> = {}): DeviceBan => ({
  roomId: ROOM,
  userId,
  bannedBy: "user-1",
  reason: null,
  createdAt: T0,
  expiresAt: null,
  ...fields,
});

export const aProfile = (fields: Partial<DeviceProfile> = {}): DeviceProfile => ({
  id: "user-me",
  username: "me",
  displayName: "Me",
  homeSignalServerUrl: "https://home.example",
  avatarHash: null,
  avatarMime: null,
  cardText: "Hello",
  updatedAt: T0,
  ...fields,
});

export const anEmoji = (id: string, fields: Partial<DeviceEmoji> = {}): DeviceEmoji => ({
  id,
  shortcode: id,
  mime: "image/webp",
  hash: "cd".repeat(32),
  bytes: new Uint8Array([1, 2, 3]),
  updatedAt: T0,
  ...fields,
});

export const aCredential = (url: string, fields: Partial<DeviceCredential> = {}): DeviceCredential => ({
  signalServerUrl: url,
  userId: "user-me",
  username: "me",
  displayName: "Me",
  expiresAt: T0 + 1_000,
  autoProvisioned: false,
  isHome: false,
  ...fields,
});

/** Parses JSON in UTF-8. */
export const parsed = (json: Uint8Array = new Uint8Array()): unknown =>
  JSON.parse(Buffer.from(json).toString());
