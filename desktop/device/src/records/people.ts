import { z } from "zod";
import { hashSchema, idSchema, mimeSchema, nameSchema, textSchema, timeSchema, urlSchema } from "./kinds.ts";

/** The account that this device belongs to, at its home signaling server (interface 2.7). */
export interface DeviceProfile {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  /** URL of the signaling server where the account lives. */
  readonly homeSignalServerUrl: string;
  /** SHA-256 of the picture in hexadecimal, or `null` without one. */
  readonly avatarHash: string | null;
  readonly avatarMime: string | null;
  /** The text on the user's card. */
  readonly cardText: string;
  /** @isLong */
  readonly updatedAt: number;
}

const picture = { avatarHash: hashSchema.nullable(), avatarMime: mimeSchema.nullable() };

export const profileSchema = z.object({
  id: idSchema,
  username: nameSchema,
  displayName: nameSchema,
  homeSignalServerUrl: urlSchema,
  ...picture,
  cardText: textSchema,
  updatedAt: timeSchema,
}) satisfies z.ZodType<DeviceProfile>;

/** A user that this device knows. */
export interface DeviceUser {
  readonly id: string;
  readonly username: string | null;
  readonly displayName: string;
  readonly signalServerUrl: string;
  readonly avatarHash: string | null;
  readonly avatarMime: string | null;
  readonly cardText: string;
  readonly isFriend: boolean;
  /** @isLong */
  readonly updatedAt: number;
}

/** A user without the friendship, which is a record of its own. */
export type Person = Omit<DeviceUser, "isFriend">;

export const personSchema = z.object({
  id: idSchema,
  username: nameSchema.nullable(),
  displayName: nameSchema,
  signalServerUrl: urlSchema,
  ...picture,
  cardText: textSchema,
  updatedAt: timeSchema,
}) satisfies z.ZodType<Person>;

/** A friend of the account; the friend's own record is a `DeviceUser`. */
export interface DeviceFriend {
  readonly userId: string;
  readonly addedAt: number;
}

export const friendSchema = z.object({
  userId: idSchema,
  addedAt: timeSchema,
}) satisfies z.ZodType<DeviceFriend>;
