import { z } from "zod";

/**
 * What other clients say, as far as this one uses it. Fields beyond these are allowed and dropped; a field that another
 * client may leave out has a value here. Nothing may be longer than a frame of the server allows (rule WS12).
 */
export const wireId = z.string().min(1).max(128);
export const wireTime = z.int().min(0).max(8_640_000_000_000_000);
export const wireText = z.string().max(65_536);
export const wireName = z.string().min(1).max(256);

/** People that one message may mention. */
const MOST_MENTIONS = 100;

const optionalId = wireId.nullable().catch(null);
const mentions = z
  .array(wireId)
  .max(MOST_MENTIONS)
  .catch([])
  .transform((ids) => [...new Set(ids)]);

/** The fields of a message wherever one travels. */
export const wireMessageFields = {
  id: wireId,
  content: wireText,
  replyToId: optionalId,
  mentions,
  clientInstanceId: optionalId,
} as const;

export const wireRevisionSchema = z.object({
  content: wireText,
  revision: z.int().min(1).max(1_000_000),
  editedAt: wireTime,
});

/** Who said it where; the server vouches for the first three (rule WS9). */
const inRoom = {
  fromUserId: wireId,
  fromDisplayName: wireName,
  sentAt: wireTime,
  serverId: wireId,
  channelId: optionalId,
} as const;

export const chatMessageSchema = z.object({
  ...inRoom,
  type: z.literal("chat_message"),
  message: z.object({ ...wireMessageFields, timestamp: wireTime.nullable().catch(null) }),
});

export const messageRevisionSchema = z.object({
  ...inRoom,
  type: z.literal("message_revision"),
  messageId: wireId,
  revision: wireRevisionSchema,
});

export const messageDeleteSchema = z.object({
  ...inRoom,
  type: z.literal("message_delete"),
  messageId: wireId,
  deletedAt: wireTime.nullable().catch(null),
});

export const reactionSchema = z.object({
  ...inRoom,
  type: z.literal("reaction"),
  messageId: wireId,
  emoji: wireId,
  action: z.enum(["add", "remove"]).default("add"),
  at: wireTime.nullable().catch(null),
});

export const userTypingSchema = z.object({
  ...inRoom,
  type: z.literal("user_typing"),
  isTyping: z.boolean().default(true),
});

/** Everything that clients say in a room about messages. */
export const chatWireSchema = z.discriminatedUnion("type", [
  chatMessageSchema,
  messageRevisionSchema,
  messageDeleteSchema,
  reactionSchema,
  userTypingSchema,
]);

export type ChatWire = z.output<typeof chatWireSchema>;
