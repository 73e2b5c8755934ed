import type { AccountRecord, SessionRecord } from "./records.ts";

/** AB11: an operator's invitation to register. The code itself is nowhere. */
export interface InvitationRecord {
  readonly id: string;
  readonly codeHash: string;
  readonly maxUses: number;
  readonly remaining: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface InvitationStore {
  addInvitation(invitation: InvitationRecord): Promise<void>;
  /** The latest first. */
  listInvitations(limit: number): Promise<readonly InvitationRecord[]>;
  /** False when there is no such invitation, or it is revoked already. */
  revokeInvitation(id: string, at: number): Promise<boolean>;
  /** Whether an invitation of this code can be used. */
  invitationHolds(codeHash: string, at: number): Promise<boolean>;
  /** Uses it once; false when it cannot be used. */
  takeInvitation(codeHash: string, at: number): Promise<boolean>;
  /** Gives back a use that led to no account. */
  returnInvitation(codeHash: string): Promise<void>;
}

/** AB11: an operator's one-time right to a new password for an account. */
export interface ResetCode {
  readonly codeHash: string;
  readonly accountId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface PasswordReset {
  readonly codeHash: string;
  readonly accountId: string;
  readonly to: string;
  /** The account's only session afterwards. */
  readonly session: SessionRecord;
  readonly at: number;
}

export interface ResetStore {
  /** Replaces an earlier code of the account. */
  putResetCode(code: ResetCode): Promise<void>;
  /** The account that an unused code which holds at `at` is for. */
  findResetCode(codeHash: string, at: number): Promise<string | null>;
  /** Uses up the code, sets the hash, revokes all sessions and opens one. False when the code or the account is gone. */
  resetPassword(reset: PasswordReset): Promise<boolean>;
}

/** AB11: one use of the operator's command. Never a secret. */
export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  /** The user of the operating system. */
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly outcome: string;
}

/** Append-only: there is no way to change or remove an entry. */
export interface AuditStore {
  appendAudit(entry: AuditEntry): Promise<void>;
  /** The latest first. */
  listAudit(limit: number): Promise<readonly AuditEntry[]>;
}

export interface SuspensionStore {
  /** Accounts of this id, or with this text in their folded name. */
  searchAccounts(text: string, limit: number): Promise<readonly AccountRecord[]>;
  /** Suspends an active account and revokes its sessions. False when it is not active. */
  suspendAccount(id: string, at: number): Promise<boolean>;
  /** False when the account is not suspended. */
  unsuspendAccount(id: string): Promise<boolean>;
}

export interface OperatorStore extends InvitationStore, ResetStore, AuditStore, SuspensionStore {}
