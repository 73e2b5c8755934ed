import type { SessionEndReason } from "@hearth/contracts";

/** AB11, AB12. Of a deleted account only the name is left, so that nobody can take it and pass for its owner. */
export type AccountState = "active" | "suspended" | "deleted";

/** Every time is epoch ms. */
export interface AccountRecord {
  readonly id: string;
  readonly username: string;
  /** The unique form (rule AU2). */
  readonly foldedName: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly createdAt: number;
  readonly version: number;
  readonly state: AccountState;
}

export interface SessionRecord {
  readonly id: string;
  readonly accountId: string;
  /** SHA-256 of the token in hex; the token itself is nowhere (rule AU4). */
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly ip: string;
  readonly addressBlock: string;
  readonly userAgent: string | null;
  readonly deviceName: string | null;
}

/** What the session list shows. */
export type ListedSession = Omit<SessionRecord, "tokenHash" | "addressBlock">;

/** `endReason` is null until somebody has written the end down, which for an expiry may be a moment later. */
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

export interface UseNote {
  readonly id: string;
  readonly seenLastUsedAt: number;
  readonly lastUsedAt: number;
  readonly deviceName: string | null;
}

export interface EndedSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly reason: SessionEndReason;
}

export interface SigningKeyRecord {
  readonly kid: string;
  /** The public half: the `x` of an Ed25519 JWK. */
  readonly x: string;
  readonly expiresAt: number;
}

export interface PasswordChange {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
  /** The session that stays; the account's others are revoked in the same transaction. */
  readonly keepSessionId: string;
  readonly at: number;
}
