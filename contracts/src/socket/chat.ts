import { z } from "zod";

/**
 * What clients of this product say to each other in a room (rules WS9, AB10). The server checks only the fields that
 * `CLIENT_MESSAGES` names and relays the rest as it came; another client may leave fields out or send nonsense. These
 * schemas are for the receiving client: they drop unknown fields and fill in missing ones. No value may be longer than
 * a frame allows (rule WS12). Times are epoch ms on the clock of the signaling server.
 */
export const wireId = z.string().min(1).max(128);
export const wireTime = z.int().min(0).max(8_640_000_000_000_000);
export const wireText = z.string().max(65_536);
export const wireName = z.string().min(1).max(256);

/** `chat_message.message`. The sender is the relay's `fromUserId`, never what a message says of itself. */
export interface WireMessage {
  readonly id: string;
  readonly content: string;
  readonly timestamp: number;
  readonly replyToId: string | null;
  readonly mentions: readonly string[];
  readonly clientInstanceId: string | null;
}

/** Users that one message may mention. */
const MAX_MENTIONS = 100;

const optionalId = wireId.nullable().catch(null);
const optionalTime = wireTime.nullable().catch(null);

/** Their order is part of the digests by which devices compare messages. */
export const wireMessageSchema = z.object({
  id: wireId,
  content: wireText,
  timestamp: wireTime,
  replyToId: optionalId,
  mentions: z
    .array(wireId)
    .max(MAX_MENTIONS)
    .catch([])
    .transform((ids) => [...new Set(ids)]),
  clientInstanceId: optionalId,
}) satisfies z.ZodType<WireMessage>;

/** `message_revision.revision`; `message_delete` carries `deletedAt` beside its `messageId`, `reaction` carries `at`. */
export interface WireRevision {
  readonly content: string;
  readonly revision: number;
  readonly editedAt: number;
}

export const wireRevisionSchema = z.object({
  content: wireText,
  revision: z.int().min(1).max(1_000_000),
  editedAt: wireTime,
}) satisfies z.ZodType<WireRevision>;

/** Who said it and where; the server vouches for the first three (rule WS9). */
const inRoom = {
  fromUserId: wireId,
  fromDisplayName: wireName,
  sentAt: wireTime,
  serverId: wireId,
  channelId: optionalId,
} as const;

/** What happens in the chat of a room, as a client receives it. */
export const chatEventSchema = z.discriminatedUnion("type", [
  z.object({
    ...inRoom,
    type: z.literal("chat_message"),
    message: wireMessageSchema.extend({ timestamp: optionalTime }),
  }),
  z.object({
    ...inRoom,
    type: z.literal("message_revision"),
    messageId: wireId,
    revision: wireRevisionSchema,
  }),
  z.object({ ...inRoom, type: z.literal("message_delete"), messageId: wireId, deletedAt: optionalTime }),
  z.object({
    ...inRoom,
    type: z.literal("reaction"),
    messageId: wireId,
    emoji: wireId,
    action: z.enum(["add", "remove"]).default("add"),
    at: optionalTime,
  }),
  z.object({ ...inRoom, type: z.literal("user_typing"), isTyping: z.boolean().default(true) }),
]);

export type ChatEvent = z.output<typeof chatEventSchema>;
