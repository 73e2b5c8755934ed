import {
  channelKindSchema,
  isFileUrl,
  roleSchema,
  visibilitySchema,
  wireId,
  wireMessageSchema,
  wireName,
  wireRevisionSchema,
  wireTime,
} from "@hearth/contracts";
import { z } from "zod";
import { ROOM_KINDS, serverUrlSchema } from "@hearth/device";
import type { DeviceChannel, DeviceRoom, ReactionChange } from "@hearth/device";
import type { SyncPayloads } from "../../wire.ts";
import { fromBase64 } from "../base64.ts";
import { sha256Hex } from "../digest.ts";

const MIB = 1024 * 1024;

/** The largest profile picture or emoji. */
const MAX_PICTURE_BYTES = 4 * MIB;

const shortText = z.string().max(256);
const longText = z.string().max(4_096);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A list without its malformed items, so that the valid ones are not lost. */
const listOf = <Schema extends z.ZodType>(schema: Schema, most: number) =>
  z
    .array(z.unknown())
    .max(most)
    .transform((items) =>
      items.flatMap((item) => {
        const parsed = schema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      }),
    );

const base64 = z.base64().max(Math.ceil(MAX_PICTURE_BYTES / 3) * 4);

/** The bytes of a picture, verified by its hash. */
function pictureBytes(
  picture: { readonly hash: string; readonly data: string },
  context: z.RefinementCtx,
): Uint8Array {
  const bytes = fromBase64(picture.data);
  if (sha256Hex(bytes) === picture.hash) return bytes;
  context.addIssue({ code: "custom", message: "is not what its hash says" });
  return z.NEVER;
}

const reaction = z.object({
  emoji: wireId,
  userId: wireId,
  present: z.boolean(),
  at: wireTime,
}) satisfies z.ZodType<Omit<ReactionChange, "messageId">>;

export const syncedMessageSchema = wireMessageSchema.extend({
  roomId: wireId,
  channelId: wireId.nullable().default(null),
  senderId: wireId,
  senderDisplayName: shortText.default(""),
  edits: listOf(wireRevisionSchema, 10_000).default([]),
  deletedAt: wireTime.nullable().default(null),
  reactions: listOf(reaction, 10_000).default([]),
});

/** Fields for local paths are missing here, so they are dropped (rule AS2). */
const attachment = z.object({
  id: wireId,
  filename: z
    .string()
    .max(512)
    .refine((name) => !isFileUrl(name), "is a path"),
  size: z.int().min(0),
  mime: shortText,
  hash: shortText,
  createdAt: wireTime.optional(),
});

const channel = z.object({
  id: wireId,
  name: shortText,
  kind: channelKindSchema,
  position: z.int(),
}) satisfies z.ZodType<DeviceChannel>;

const room = z.object({
  id: wireId,
  kind: z.enum(ROOM_KINDS).default("server"),
  name: shortText,
  description: longText.default(""),
  signalServerUrl: serverUrlSchema,
  actorUserId: wireId,
  iconHash: shortText.nullable().default(null),
  tags: z.array(shortText).max(100).default([]),
  visibility: visibilitySchema.default("private"),
  ownerId: wireId.nullable().default(null),
  peerUserId: wireId.nullable().default(null),
  role: roleSchema.default("member"),
  channels: listOf(channel, 500).default([]),
  muted: z.boolean().default(false),
  lastReadMessageId: wireId.nullable().default(null),
  lastReadAt: wireTime.nullable().default(null),
  createdAt: wireTime,
  joinedAt: wireTime,
  updatedAt: wireTime,
}) satisfies z.ZodType<DeviceRoom>;

const avatar = z
  .object({ hash, mime: shortText, data: base64 })
  .transform((picture, context) => ({ ...picture, data: pictureBytes(picture, context) }));

const card = z.object({
  username: wireName,
  displayName: wireName,
  cardText: longText,
  avatarHash: hash.nullable().default(null),
  avatarMime: shortText.nullable().default(null),
  updatedAt: wireTime,
});

const emoji = z
  .object({ id: wireId, shortcode: wireId, mime: shortText, hash, data: base64, updatedAt: wireTime })
  .transform((picture, context) => ({ ...picture, data: pictureBytes(picture, context) }));

const digests = z.array(z.string().max(64)).max(20_000);

const schemas = {
  "chat-message": z.object({ message: syncedMessageSchema }),
  "message-revision": z.object({ roomId: wireId, messageId: wireId, revision: wireRevisionSchema }),
  "chat-sync-batch": z.object({
    roomId: wireId,
    messages: listOf(syncedMessageSchema, 1_000),
    attachments: z.record(wireId, listOf(attachment, 100)).default({}),
    final: z.boolean().default(false),
  }),
  "saved-room-sync": z.object({ room }),
  "saved-room-remove": z.object({ roomId: wireId, at: wireTime.optional() }),
  "user-avatar-full": z.object({ avatar: avatar.nullable().default(null), card }),
  "custom-emoji-full": z.object({ emoji: listOf(emoji, 1_000) }),
  "friend-added": z.object({
    friend: z.object({ userId: wireId, addedAt: wireTime, displayName: wireName.optional() }),
  }),
  "friend-removed": z.object({ userId: wireId, at: wireTime.optional() }),
  "message-delete": z.object({ roomId: wireId, messageId: wireId, deletedAt: wireTime }),
  "message-reaction": z.object({ roomId: wireId, change: reaction.extend({ messageId: wireId }) }),
  "read-position": z.object({
    roomId: wireId,
    channelId: wireId.nullable().default(null),
    messageId: wireId,
    timestamp: wireTime,
  }),
  "blocks-changed": z.object({ signalServerUrl: serverUrlSchema }),
  "custom-emoji-removed": z.object({ id: wireId, at: wireTime.optional() }),
  "sync-request": z.object({
    to: wireId.nullable().default(null),
    store: wireId,
    device: shortText.default(""),
    known: z.record(wireId, wireTime).default({}),
    have: digests.default([]),
    heard: digests.default([]),
  }),
  "sync-begin": z.object({
    store: wireId,
    toStore: wireId.nullable().default(null),
    device: shortText.default(""),
    since: wireTime,
    except: digests.default([]),
  }),
  "sync-end": z.object({ upTo: wireTime }),
  "sync-received": z.object({ to: wireId, id: wireId, seq: z.int().min(0) }),
} as const satisfies Record<SyncPayloads["type"], z.ZodType>;

type Kind = keyof typeof schemas;

/** A validated payload. Hashes of bytes are verified, claims about senders as far as possible. */
export type CheckedPayload = { [K in Kind]: { readonly type: K } & z.output<(typeof schemas)[K]> }[Kind];

export type CheckedMessage = z.output<typeof syncedMessageSchema>;
export type CheckedRequest = z.output<(typeof schemas)["sync-request"]>;

const isKnown = (type: string): type is Kind => Object.hasOwn(schemas, type);

/** `null` for unknown types (rule AS2) and malformed payloads. */
export function checkedPayload(payload: { readonly type: string }): CheckedPayload | null {
  const { type } = payload;
  if (!isKnown(type)) return null;
  const parsed = schemas[type].safeParse(payload);
  return parsed.success ? ({ type, ...parsed.data } as CheckedPayload) : null;
}

export const chunkSchema = z.object({
  type: z.enum(["user-avatar-chunk", "custom-emoji-chunk"]),
  transferId: wireId,
  index: z.int().min(0),
  total: z.int().min(1).max(64),
  data: z.string().max(MIB),
});

export const markSchema = z.object({
  id: wireId,
  to: wireId,
  seq: z.int().min(0),
  done: z.int().min(0),
  total: z.int().min(0),
});
