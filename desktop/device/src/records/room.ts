import { channelKindSchema, roleSchema, visibilitySchema } from "@hearth/contracts";
import type { ChannelKind, Role, Visibility } from "@hearth/contracts";
import { z } from "zod";
import { hashSchema, idSchema, nameSchema, textSchema, timeSchema, urlSchema } from "./kinds.ts";
import type { DeviceUser } from "./people.ts";

export const ROOM_KINDS = ["server", "direct"] as const;

/** Whether a room is a server, or a direct conversation of two users. */
export type RoomKind = (typeof ROOM_KINDS)[number];

export interface DeviceChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** @isInt */
  readonly position: number;
}

const channelSchema = z.object({
  id: idSchema,
  name: nameSchema,
  kind: channelKindSchema,
  position: z.int(),
}) satisfies z.ZodType<DeviceChannel>;

/** A server that the account saved, or a direct conversation. */
export interface DeviceRoom {
  readonly id: string;
  readonly kind: RoomKind;
  readonly name: string;
  readonly description: string;
  /** URL of the signaling server where the room lives. */
  readonly signalServerUrl: string;
  /** The account's user id on that signaling server. */
  readonly actorUserId: string;
  readonly iconHash: string | null;
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  /** `null` for a direct conversation. */
  readonly ownerId: string | null;
  /** The other user of a direct conversation. */
  readonly peerUserId: string | null;
  readonly role: Role;
  readonly channels: readonly DeviceChannel[];
  readonly muted: boolean;
  /** The last message that was read on any device of the account. */
  readonly lastReadMessageId: string | null;
  /** @isLong */
  readonly lastReadAt: number | null;
  /** @isLong */
  readonly createdAt: number;
  /** @isLong */
  readonly joinedAt: number;
  /** @isLong */
  readonly updatedAt: number;
}

export const roomSchema = z.object({
  id: idSchema,
  kind: z.enum(ROOM_KINDS),
  name: nameSchema,
  description: textSchema,
  signalServerUrl: urlSchema,
  actorUserId: idSchema,
  iconHash: hashSchema.nullable(),
  tags: z.array(nameSchema).max(1_000),
  visibility: visibilitySchema,
  ownerId: idSchema.nullable(),
  peerUserId: idSchema.nullable(),
  role: roleSchema,
  channels: z.array(channelSchema).max(10_000),
  muted: z.boolean(),
  lastReadMessageId: idSchema.nullable(),
  lastReadAt: timeSchema.nullable(),
  createdAt: timeSchema,
  joinedAt: timeSchema,
  updatedAt: timeSchema,
}) satisfies z.ZodType<DeviceRoom>;

/** A user as a member of one room. */
export interface DeviceRoomUser extends DeviceUser {
  readonly roomId: string;
  readonly role: Role;
  /** @isLong */
  readonly joinedAt: number;
  /** @isLong */
  readonly lastSeenAt: number | null;
}

/** The membership of a user; `saveUsers` writes the user. */
export type RoomMembership = Pick<DeviceRoomUser, "roomId" | "role" | "joinedAt" | "lastSeenAt"> & {
  readonly userId: string;
};

export const membershipSchema = z.object({
  roomId: idSchema,
  userId: idSchema,
  role: roleSchema,
  joinedAt: timeSchema,
  lastSeenAt: timeSchema.nullable(),
}) satisfies z.ZodType<RoomMembership>;

/** A user who may not enter a room. With `expiresAt` `null` the ban lasts until it is lifted. */
export interface DeviceBan {
  readonly roomId: string;
  readonly userId: string;
  readonly bannedBy: string;
  readonly reason: string | null;
  /** @isLong */
  readonly createdAt: number;
  /** @isLong */
  readonly expiresAt: number | null;
}

export const banSchema = z.object({
  roomId: idSchema,
  userId: idSchema,
  bannedBy: idSchema,
  reason: textSchema.nullable(),
  createdAt: timeSchema,
  expiresAt: timeSchema.nullable(),
}) satisfies z.ZodType<DeviceBan>;
