import { z } from "zod";
import type {
  DeviceCredential,
  DeviceFriend,
  MessageEdit,
  MessageRemoval,
  PluginDatum,
  ReactionChange,
} from "@hearth/device";
import type { DeviceBan, DeviceProfile, DeviceRoom, DeviceUser } from "@hearth/device";
import type { MessagePosition, NewAttachment, NewMessage, RoomMembership } from "../../device-store.ts";
import { storedJson } from "../../stored-json.ts";
import type { StoredEmoji, StoredPluginDatum } from "./schema.indexeddb.ts";

/** Half a surrogate pair becomes U+FFFD, as in every other store. */
export const text = z.string().overwrite((value) => value.toWellFormed());
export const time = z.int();
const maybeText = text.nullable();
const maybeTime = time.nullable();
const role = z.enum(["owner", "moderator", "member"]);

export const room: z.ZodType<DeviceRoom> = z.object({
  id: text,
  kind: z.enum(["server", "direct"]),
  name: text,
  description: text,
  signalServerUrl: text,
  actorUserId: text,
  iconHash: maybeText,
  tags: z.array(text),
  visibility: z.enum(["public", "unlisted", "private"]),
  ownerId: maybeText,
  peerUserId: maybeText,
  role,
  channels: z.array(z.object({ id: text, name: text, kind: z.enum(["text", "voice"]), position: z.int() })),
  muted: z.boolean(),
  lastReadMessageId: maybeText,
  lastReadAt: maybeTime,
  createdAt: time,
  joinedAt: time,
  updatedAt: time,
});

export const membership: z.ZodType<RoomMembership> = z.object({
  roomId: text,
  userId: text,
  role,
  joinedAt: time,
  lastSeenAt: maybeTime,
});

export const ban: z.ZodType<DeviceBan> = z.object({
  roomId: text,
  userId: text,
  bannedBy: text,
  reason: maybeText,
  createdAt: time,
  expiresAt: maybeTime,
});

export const profile: z.ZodType<DeviceProfile> = z.object({
  id: text,
  username: text,
  displayName: text,
  homeSignalServerUrl: text,
  avatarHash: maybeText,
  avatarMime: maybeText,
  cardText: text,
  updatedAt: time,
});

export const user: z.ZodType<Omit<DeviceUser, "isFriend">> = z.object({
  id: text,
  username: maybeText,
  displayName: text,
  signalServerUrl: text,
  avatarHash: maybeText,
  avatarMime: maybeText,
  cardText: text,
  updatedAt: time,
});

export const friend: z.ZodType<DeviceFriend> = z.object({ userId: text, addedAt: time });

export const message: z.ZodType<NewMessage> = z.object({
  id: text,
  roomId: text,
  channelId: maybeText,
  senderId: text,
  senderDisplayName: text,
  content: text,
  replyToId: maybeText,
  mentions: z.array(text),
  timestamp: time,
  delivery: z.enum(["pending", "sent", "failed"]),
  clientInstanceId: maybeText,
});

export const position: z.ZodType<MessagePosition> = z.object({ timestamp: time, id: text });

export const edit: z.ZodType<MessageEdit> = z.object({
  messageId: text,
  roomId: text,
  content: text,
  revision: z.int(),
  editedAt: time,
});

export const removal: z.ZodType<MessageRemoval> = z.object({
  messageId: text,
  roomId: text,
  deletedAt: time,
});

export const reaction: z.ZodType<ReactionChange> = z.object({
  messageId: text,
  emoji: text,
  userId: text,
  present: z.boolean(),
  at: time,
});

export const attachment: z.ZodType<NewAttachment> = z.object({
  id: text,
  messageId: text,
  roomId: text,
  filename: text,
  size: z.int(),
  mime: text,
  hash: text,
  createdAt: time,
  localPath: maybeText,
});

/** A copy of the bytes alone: a view would be stored with all that lies around it. */
const bytes = z.instanceof(Uint8Array).transform((view) => new Uint8Array(view).buffer);

export const emoji: z.ZodType<StoredEmoji> = z.object({
  id: text,
  shortcode: text,
  mime: text,
  hash: text,
  bytes,
  updatedAt: time,
});

/** A value of the scope `local` belongs to no server, one of the scope `server` to exactly one. */
const isPlaced = ({ scope, serverId }: Omit<PluginDatum, "value">): boolean =>
  (scope === "server") === Boolean(serverId);

const datumFields = {
  pluginId: text,
  key: text,
  scope: z.enum(["local", "server"]),
  serverId: maybeText,
};

export const pluginDatumKey: z.ZodType<Omit<PluginDatum, "value">> = z.object(datumFields);

export const pluginDatum: z.ZodType<StoredPluginDatum> = z
  .object({ ...datumFields, value: z.unknown().transform(storedJson).pipe(z.string()) })
  .refine(isPlaced)
  .transform(({ serverId, ...datum }) => ({ ...datum, serverId: serverId ?? "" }));

export const credential: z.ZodType<DeviceCredential> = z.object({
  signalServerUrl: text,
  userId: text,
  username: text,
  displayName: text,
  expiresAt: time,
  autoProvisioned: z.boolean(),
  isHome: z.boolean(),
});
