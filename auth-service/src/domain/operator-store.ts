import { epochMs } from "@hearth/contracts";
import { z } from "zod";
import { text } from "./records.ts";
import type { AccountRecord, SessionRecord } from "./records.ts";

/** AB11: an operator's invitation to register. The code itself is stored nowhere. */
export const invitationRecord = z.object({
  id: text,
  codeHash: text,
  maxUses: z.int(),
  remaining: z.int(),
  createdAt: epochMs,
  createdBy: text,
  expiresAt: epochMs.nullable(),
  revokedAt: epochMs.nullable(),
});
export type InvitationRecord = Readonly<z.output<typeof invitationRecord>>;

export interface InvitationStore {
  addInvitation(invitation: InvitationRecord): Promise<void>;
  /** The latest first. */
  listInvitations(limit: number): Promise<readonly InvitationRecord[]>;
  /** False when there is no such invitation, or it is revoked already. */
  revokeInvitation(id: string, at: number): Promise<boolean>;
  /** Whether the invitation with this code can be used. */
  isInvitationUsable(codeHash: string, at: number): Promise<boolean>;
  /** Uses it once; false when it cannot be used. */
  takeInvitation(codeHash: string, at: number): Promise<boolean>;
  /** Returns a use that led to no account. */
  returnInvitation(codeHash: string): Promise<void>;
}

/** AB11: an operator's one-time right to a new password for an account. */
export const resetCodeRecord = z.object({
  codeHash: text,
  accountId: text,
  createdAt: epochMs,
  expiresAt: epochMs,
});
export type ResetCode = Readonly<z.output<typeof resetCodeRecord>>;

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
  /** The id of the account whose unused code is valid at `at`. */
  findResetCode(codeHash: string, at: number): Promise<string | null>;
  /** Uses up the code, sets the hash, revokes all sessions and opens one. False when the code or the account is gone. */
  resetPassword(reset: PasswordReset): Promise<boolean>;
}

/** AB11: one use of the operator's command. Contains no secret. */
export const auditEntry = z.object({
  id: text,
  at: epochMs,
  /** The user of the operating system. */
  actor: text,
  action: text,
  target: z.string().nullable(),
  outcome: text,
});
export type AuditEntry = Readonly<z.output<typeof auditEntry>>;

/** Append-only: no method changes or removes an entry. */
export interface AuditStore {
  appendAudit(entry: AuditEntry): Promise<void>;
  /** The latest first. */
  listAudit(limit: number): Promise<readonly AuditEntry[]>;
}

export interface SuspensionStore {
  /** Accounts with this id, or with this text in their folded name. */
  searchAccounts(text: string, limit: number): Promise<readonly AccountRecord[]>;
  /** Suspends an active account and revokes its sessions. False when it is not active. */
  suspendAccount(id: string, at: number): Promise<boolean>;
  /** False when the account is not suspended. */
  unsuspendAccount(id: string): Promise<boolean>;
}

export interface OperatorStore extends InvitationStore, ResetStore, AuditStore, SuspensionStore {}
