import { z } from "zod";
import type {
  DeviceCredential,
  DeviceEmoji,
  DeviceFriend,
  MessageEdit,
  MessageRemoval,
  PluginDatum,
  ReactionChange,
} from "@hearth/device";
import type { DeviceBan, DeviceChannel, DeviceProfile, DeviceRoom, DeviceUser } from "@hearth/device";
import type { NewAttachment, NewMessage, RoomMembership } from "@hearth/store";

/** An empty id is somebody else's nonsense, and no reason to refuse everything that came with it. */
export const id = z.string().max(256);
export const time = z.int();
const name = z.string().max(1_024);
const text = z.string().max(65_536);
const url = z.string().max(2_048);
const mime = z.string().max(256);
const hash = z.string().max(256);
const count = z.int().min(0);

/** What one call may hold of a kind; far more than any call of the client does. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(10_000).readonly();

const role = z.enum(["owner", "moderator", "member"]);
const picture = { avatarHash: hash.nullable(), avatarMime: mime.nullable() };

export const profile = z.object({
  id,
  username: name,
  displayName: name,
  homeSignalServerUrl: url,
  ...picture,
  cardText: text,
  updatedAt: time,
}) satisfies z.ZodType<DeviceProfile>;

const channel = z.object({
  id,
  name,
  kind: z.enum(["text", "voice"]),
  position: z.int(),
}) satisfies z.ZodType<DeviceChannel>;

export const room = z.object({
  id,
  kind: z.enum(["server", "direct"]),
  name,
  description: text,
  signalServerUrl: url,
  actorUserId: id,
  iconHash: hash.nullable(),
  tags: z.array(name).max(1_000).readonly(),
  visibility: z.enum(["public", "unlisted", "private"]),
  ownerId: id.nullable(),
  peerUserId: id.nullable(),
  role,
  channels: z.array(channel).max(10_000).readonly(),
  muted: z.boolean(),
  lastReadMessageId: id.nullable(),
  lastReadAt: time.nullable(),
  createdAt: time,
  joinedAt: time,
  updatedAt: time,
}) satisfies z.ZodType<DeviceRoom>;

export const user = z.object({
  id,
  username: name.nullable(),
  displayName: name,
  signalServerUrl: url,
  ...picture,
  cardText: text,
  updatedAt: time,
}) satisfies z.ZodType<Omit<DeviceUser, "isFriend">>;

export const membership = z.object({
  roomId: id,
  userId: id,
  role,
  joinedAt: time,
  lastSeenAt: time.nullable(),
}) satisfies z.ZodType<RoomMembership>;

export const message = z.object({
  id,
  roomId: id,
  channelId: id.nullable(),
  senderId: id,
  senderDisplayName: name,
  content: text,
  replyToId: id.nullable(),
  mentions: z.array(id).max(10_000).readonly(),
  timestamp: time,
  delivery: z.enum(["pending", "sent", "failed"]),
  clientInstanceId: id.nullable(),
}) satisfies z.ZodType<NewMessage>;

export const edit = z.object({
  messageId: id,
  roomId: id,
  content: text,
  revision: z.int(),
  editedAt: time,
}) satisfies z.ZodType<MessageEdit>;

export const removal = z.object({
  messageId: id,
  roomId: id,
  deletedAt: time,
}) satisfies z.ZodType<MessageRemoval>;

export const reaction = z.object({
  messageId: id,
  emoji: name,
  userId: id,
  present: z.boolean(),
  at: time,
}) satisfies z.ZodType<ReactionChange>;

export const attachment = z.object({
  id,
  messageId: id,
  roomId: id,
  filename: name,
  size: count,
  mime,
  hash,
  createdAt: time,
  localPath: z.string().max(4_096).nullable(),
}) satisfies z.ZodType<NewAttachment>;

export const ban = z.object({
  roomId: id,
  userId: id,
  bannedBy: id,
  reason: text.nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
}) satisfies z.ZodType<DeviceBan>;

export const friend = z.object({ userId: id, addedAt: time }) satisfies z.ZodType<DeviceFriend>;

const MAX_BYTES = 4 * 1_024 * 1_024;

export const emoji = z.object({
  id,
  shortcode: name,
  mime,
  hash,
  bytes: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= MAX_BYTES),
  updatedAt: time,
}) satisfies z.ZodType<DeviceEmoji>;

function isSmallJson(value: unknown): boolean {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json !== undefined && json.length <= MAX_BYTES;
  } catch {
    return false;
  }
}

export const pluginKey = z.object({
  pluginId: id,
  key: name,
  scope: z.enum(["local", "server"]),
  serverId: id.nullable(),
}) satisfies z.ZodType<Omit<PluginDatum, "value">>;

export const pluginDatum = pluginKey.extend({
  value: z.unknown().refine(isSmallJson),
}) satisfies z.ZodType<PluginDatum>;

export const metaKey = name;
export const metaValue = z.string().max(MAX_BYTES);

export const credential = z.object({
  signalServerUrl: url,
  userId: id,
  username: name,
  displayName: name,
  expiresAt: time,
  autoProvisioned: z.boolean(),
  isHome: z.boolean(),
}) satisfies z.ZodType<DeviceCredential>;

export const serverUrl = url;
export const searchText = text;
