import { epochMs } from "@hearth/contracts";
import type { SessionEndReason } from "@hearth/contracts";
import { z } from "zod";

/** Never empty: an id, a name or a hash. */
export const text = z.string().min(1);

/** AB11, AB12. Of a deleted account only the name is left, so that nobody can take it and pass for its owner. */
const accountState = z.enum(["active", "suspended", "deleted"]);
export type AccountState = z.output<typeof accountState>;

/** The stores derive their tables, rows and documents from the schemas of this folder. */
export const accountRecord = z.object({
  id: text,
  username: text,
  /** The unique form (rule AU2). */
  foldedName: text,
  displayName: text,
  passwordHash: text,
  createdAt: epochMs,
  version: z.int(),
  state: accountState,
});
export type AccountRecord = Readonly<z.output<typeof accountRecord>>;

export const sessionRecord = z.object({
  id: text,
  accountId: text,
  /** SHA-256 of the token in hex; the token itself is stored nowhere (rule AU4). */
  tokenHash: text,
  createdAt: epochMs,
  lastUsedAt: epochMs,
  expiresAt: epochMs,
  ip: text,
  /** Stored with the addresses of the account, not with the session. */
  addressBlock: text,
  userAgent: z.string().nullable(),
  deviceName: z.string().nullable(),
});
export type SessionRecord = Readonly<z.output<typeof sessionRecord>>;

/** An entry of the session list. */
export const listedSession = sessionRecord.omit({ tokenHash: true, addressBlock: true });
export type ListedSession = Readonly<z.output<typeof listedSession>>;

/** `endReason` is null until the end is written, which for an expiry may be a moment later. */
export interface SessionState {
  readonly expiresAt: number;
  readonly endReason: SessionEndReason | null;
}

/** A session and its account, found by the token's hash in one read. */
export interface FoundSession extends SessionState {
  readonly id: string;
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  readonly lastUsedAt: number;
  readonly deviceName: string | null;
}

/** The last use of a session, and the device name it was used with. */
export interface UseNote {
  readonly id: string;
  /** The note applies only while the stored time is still this one. */
  readonly seenLastUsedAt: number;
  readonly lastUsedAt: number;
  readonly deviceName: string | null;
}

export interface EndedSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly reason: SessionEndReason;
}

export const signingKeyRecord = z.object({
  kid: text,
  /** The public half: the `x` of an Ed25519 JWK. */
  x: text,
  expiresAt: epochMs,
});
export type SigningKeyRecord = Readonly<z.output<typeof signingKeyRecord>>;

export interface PasswordChange {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
  /** The session that stays; the same transaction revokes the account's others. */
  readonly keepSessionId: string;
  readonly at: number;
}
