import { z } from "zod";
import { idSchema, nameSchema, textSchema, timeSchema } from "./kinds.ts";

export const DELIVERY_STATES = ["pending", "sent", "failed"] as const;

/** How far a message of this account has been sent; a message of another user is always `sent`. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * A message of a room. An edit replaces `content` and raises `revision`; a removal empties `content`, undoes every edit
 * (`revision` 0, `editedAt` `null`) and sets `deletedAt`, and the record stays, so that a reader of `since` learns of it.
 * A removed message has neither reactions nor attachments.
 */
export interface DeviceMessage {
  readonly id: string;
  readonly roomId: string;
  readonly channelId: string | null;
  readonly senderId: string;
  readonly senderDisplayName: string;
  /** Markdown; empty once removed. */
  readonly content: string;
  readonly replyToId: string | null;
  /** Ids of the users that it mentions. */
  readonly mentions: readonly string[];
  /**
   * When it was written, or when it was sent after a long wait. Messages are ordered by this time, then by id.
   * @isLong
   */
  readonly timestamp: number;
  /**
   * 0 until the first edit.
   * @isInt
   */
  readonly revision: number;
  /** @isLong */
  readonly editedAt: number | null;
  /** @isLong */
  readonly deletedAt: number | null;
  readonly delivery: DeliveryState;
  /** The client instance of this account that wrote it, if known. */
  readonly clientInstanceId: string | null;
  /**
   * When this record last changed on this device: created, edited or removed (LA2). A change is never dated before
   * one that was written earlier, so that (`updatedAt`, `id`) is a place that nothing written later comes before.
   * @isLong
   */
  readonly updatedAt: number;
}

export const messageSchema = z.object({
  id: idSchema,
  roomId: idSchema,
  channelId: idSchema.nullable(),
  senderId: idSchema,
  senderDisplayName: nameSchema,
  content: textSchema,
  replyToId: idSchema.nullable(),
  mentions: z.array(idSchema).max(10_000),
  timestamp: timeSchema,
  revision: z.int(),
  editedAt: timeSchema.nullable(),
  deletedAt: timeSchema.nullable(),
  delivery: z.enum(DELIVERY_STATES),
  clientInstanceId: idSchema.nullable(),
  updatedAt: timeSchema,
}) satisfies z.ZodType<DeviceMessage>;

/** A message as it arrives; the store itself adds edits, removals and the time of the last change. */
export type NewMessage = Omit<DeviceMessage, "revision" | "editedAt" | "deletedAt" | "updatedAt">;

export const newMessageSchema = messageSchema.omit({
  revision: true,
  editedAt: true,
  deletedAt: true,
  updatedAt: true,
}) satisfies z.ZodType<NewMessage>;

/** The optional parts of a message, for a message that has none of them. */
export const BLANK_MESSAGE = {
  channelId: null,
  replyToId: null,
  mentions: [],
  clientInstanceId: null,
} as const;

/** A place in the order of messages. */
export const positionSchema = messageSchema.pick({ timestamp: true, id: true });

/** An edit of a message. Every device shows the edit with the greatest (`revision`, `editedAt`, `content`). */
export interface MessageEdit {
  readonly messageId: string;
  readonly roomId: string;
  readonly content: string;
  readonly revision: number;
  readonly editedAt: number;
}

export const editSchema = z.object({
  messageId: idSchema,
  roomId: idSchema,
  content: textSchema,
  revision: z.int(),
  editedAt: timeSchema,
}) satisfies z.ZodType<MessageEdit>;

/** The removal of a message. It wins over every edit, in any order of arrival. */
export interface MessageRemoval {
  readonly messageId: string;
  readonly roomId: string;
  readonly deletedAt: number;
}

export const removalSchema = z.object({
  messageId: idSchema,
  roomId: idSchema,
  deletedAt: timeSchema,
}) satisfies z.ZodType<MessageRemoval>;

/** A user's latest change of one reaction to one message. The greater `at` wins; at equal times the removal wins. */
export interface ReactionChange {
  readonly messageId: string;
  readonly emoji: string;
  readonly userId: string;
  readonly present: boolean;
  readonly at: number;
}

export const reactionSchema = z.object({
  messageId: idSchema,
  emoji: nameSchema,
  userId: idSchema,
  present: z.boolean(),
  at: timeSchema,
}) satisfies z.ZodType<ReactionChange>;

/** A user's reaction to a message. */
export interface DeviceReaction {
  readonly messageId: string;
  /** An emoji, or `:shortcode:` of a custom one. */
  readonly emoji: string;
  readonly userId: string;
  /** @isLong */
  readonly createdAt: number;
}
