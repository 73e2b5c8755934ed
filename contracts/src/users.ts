import { z } from "zod";
import { anyText, displayName, epochMs, lineOfText, textBlock, uuid } from "./text.ts";

/** AU2: the form by which usernames are compared: NFC, lower case. */
export const foldUsername = (username: string): string => username.normalize("NFC").toLowerCase();

export const username = z
  .string()
  .normalize("NFC")
  .min(3)
  .max(64)
  .regex(/^[A-Za-z0-9_.-]+$/, "may contain letters, digits, and _ . -");

export const newPassword = anyText(8, 1024);
/** Login accepts shorter passwords than registration: accounts of older deployments may have one. */
export const presentedPassword = anyText(1, 1024);

/** Interface 2.1: the answer of login and register. */
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
  /** Name of this device in the session list. */
  readonly deviceName?: string | undefined;
  /** AB11: required while registration is by invitation. */
  readonly invitation?: string | undefined;
}

/** AB11: a code that an operator issues, as an invitation to register or for one password reset. */
export const oneTimeCode = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/, "is not a code of this server");

export const registerBody = z.strictObject({
  username,
  password: newPassword,
  displayName: displayName.optional(),
  deviceName: lineOfText(1, 64).optional(),
  invitation: oneTimeCode.optional(),
}) satisfies z.ZodType<RegisterBody>;

/** AB11: who may register. `invite` requires an invitation from the operator. */
export const REGISTRATION_MODES = ["open", "invite", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** AB11: `GET /api/users/registration`, for the sign-up screen. */
export interface Registration {
  readonly mode: RegistrationMode;
}

export const registrationSchema = z.object({
  mode: z.enum(REGISTRATION_MODES),
}) satisfies z.ZodType<Registration>;

/** AB11: `POST /api/users/reset` with the code of a reset link. Ends every session of the account. */
export const resetPasswordBody = z.strictObject({ code: oneTimeCode, newPassword });

/** AB12: what happens to the servers that a deleted account owns. */
export const OWNED_SERVERS = ["transfer", "delete"] as const;
export type OwnedServers = (typeof OWNED_SERVERS)[number];

/** AB12: `DELETE /api/users/me`. */
export const deleteAccountBody = z.strictObject({
  currentPassword: presentedPassword,
  ownedServers: z.enum(OWNED_SERVERS),
});

/** AB12, DM4: `GET /api/users/me/blocks`. */
export interface Block {
  readonly userId: string;
  readonly createdAt: number;
}

/** AB12: maximum number of users that an account may block. */
export const MAX_BLOCKS = 1000;

export const blockSchema = z.object({ userId: uuid, createdAt: epochMs }) satisfies z.ZodType<Block>;
export const blockListSchema = z.object({ items: z.array(blockSchema) });

export const REPORT_REASONS = ["spam", "harassment", "illegal", "impersonation", "other"] as const;

/** AB12: maximum number of reports that an account may send in 24 hours. */
export const MAX_REPORTS_PER_DAY = 20;

/** AB12: `POST /api/users/reports`. `quotedText` is the text that the reporter chose to include. */
export const reportBody = z.strictObject({
  userId: uuid,
  serverId: uuid.optional(),
  messageId: anyText(1, 128).optional(),
  reason: z.enum(REPORT_REASONS),
  comment: textBlock(2000).optional(),
  quotedText: textBlock(4000).optional(),
});

/** AB12: `GET /api/users/me/export`, everything that this instance stores about the account, by service. */
export interface AccountExport {
  readonly exportedAt: number;
  readonly account: Readonly<Record<string, unknown>>;
  readonly discovery: Readonly<Record<string, unknown>>;
}

export const accountExportSchema = z.object({
  exportedAt: epochMs,
  account: z.record(z.string(), z.unknown()),
  discovery: z.record(z.string(), z.unknown()),
}) satisfies z.ZodType<AccountExport>;

export interface LoginBody {
  readonly username: string;
  readonly password: string;
  readonly deviceName?: string | undefined;
}

export const loginBody = z.strictObject({
  username: anyText(1, 64),
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

/** AU7: the push token of one device. */
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
  token: anyText(1, 4096),
});

export const deviceId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9_.:-]+$/, "may contain letters, digits, and _ . : -");
