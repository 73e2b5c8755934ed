import { mongoFields, mongoSchema } from "@hearth/runtime/network";

export interface InvitationDocument {
  readonly _id: string;
  readonly codeHash: string;
  readonly maxUses: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** A use of an invitation. The unique id makes sure that none is used more often than it says. */
export interface InvitationUseDocument {
  /** `<code hash> <number of the use>` */
  readonly _id: string;
  readonly codeHash: string;
}

/** One per account, whose id is its own. */
export interface ResetCodeDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly codeHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface AuditDocument {
  readonly _id: string;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly outcome: string;
}

const { text, number, textOrNull, numberOrNull } = mongoFields;

const invitations = mongoSchema<InvitationDocument>("invitations", {
  codeHash: text,
  maxUses: number,
  createdAt: number,
  createdBy: text,
  expiresAt: numberOrNull,
  revokedAt: numberOrNull,
}).index({ codeHash: 1 }, { unique: true });

const invitationUses = mongoSchema<InvitationUseDocument>("invitation_uses", { codeHash: text }).index({
  codeHash: 1,
});

const resetCodes = mongoSchema<ResetCodeDocument>("reset_codes", {
  accountId: text,
  codeHash: text,
  createdAt: number,
  expiresAt: number,
}).index({ codeHash: 1 }, { unique: true });

const auditLog = mongoSchema<AuditDocument>("audit_log", {
  at: number,
  actor: text,
  action: text,
  target: textOrNull,
  outcome: text,
}).index({ at: -1 });

export const operatorSchemas = { invitations, invitationUses, resetCodes, auditLog };
