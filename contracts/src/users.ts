import { z } from "zod";
import { displayName, epochMs, lineOfText, uuid } from "./text.ts";

/** AU2, in the form that two spellings of one name share. */
export const foldUsername = (username: string): string => username.normalize("NFC").toLowerCase();

export const username = z
  .string()
  .normalize("NFC")
  .min(3)
  .max(64)
  .regex(/^[A-Za-z0-9_.-]+$/, "may contain letters, digits, and _ . -");

const passwordText = (min: number) =>
  z
    .string()
    .normalize("NFC")
    .min(min)
    .max(1024)
    .refine((text) => text.isWellFormed(), "must be well-formed Unicode");

export const newPassword = passwordText(8);
/** At login a shorter password is merely wrong: accounts of older deployments may have one. */
export const presentedPassword = passwordText(1);

/** Interface 2.1: what login and register answer. */
export interface Credential {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly token: string;
  readonly expiresAt: number;
}

export const credentialSchema = z.object({
  id: uuid,
  username: z.string(),
  displayName: z.string(),
  token: z.string().regex(/^[0-9a-f]{64}$/),
  expiresAt: epochMs,
}) satisfies z.ZodType<Credential>;

export interface RegisterBody {
  readonly username: string;
  readonly password: string;
  readonly displayName?: string | undefined;
  /** What the session list calls this device. */
  readonly deviceName?: string | undefined;
}

export const registerBody = z.strictObject({
  username,
  password: newPassword,
  displayName: displayName.optional(),
  deviceName: lineOfText(1, 64).optional(),
}) satisfies z.ZodType<RegisterBody>;

export interface LoginBody {
  readonly username: string;
  readonly password: string;
  readonly deviceName?: string | undefined;
}

export const loginBody = z.strictObject({
  username: z.string().normalize("NFC").min(1).max(64),
  password: presentedPassword,
  deviceName: lineOfText(1, 64).optional(),
}) satisfies z.ZodType<LoginBody>;

/** AU1: `GET /api/users/me`. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly createdAt: number;
}

export const accountSchema = z.object({
  id: uuid,
  username: z.string(),
  displayName: z.string(),
  createdAt: epochMs,
}) satisfies z.ZodType<Account>;

export const updateAccountBody = z.object({ displayName });
export const changePasswordBody = z.object({ currentPassword: presentedPassword, newPassword });
export const endSessionsBody = z.object({ currentPassword: presentedPassword });

/** AU5: one row of the session list. */
export interface SessionInfo {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly deviceName: string | null;
}

export const sessionInfoSchema = z.object({
  id: uuid,
  current: z.boolean(),
  createdAt: epochMs,
  lastUsedAt: epochMs,
  expiresAt: epochMs,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  deviceName: z.string().nullable(),
}) satisfies z.ZodType<SessionInfo>;

/** AU7: where a device wants its push messages sent. */
export interface DeviceToken {
  readonly deviceId: string;
  readonly platform: string;
  readonly token: string;
  readonly updatedAt: number;
}

export const deviceTokenSchema = z.object({
  deviceId: z.string(),
  platform: z.string(),
  token: z.string(),
  updatedAt: epochMs,
}) satisfies z.ZodType<DeviceToken>;

export const putDeviceTokenBody = z.object({
  platform: z.enum(["android", "ios", "web", "desktop"]),
  token: z.string().min(1).max(4096),
});

export const deviceId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_.:-]+$/, "may contain letters, digits, and _ . : -");
