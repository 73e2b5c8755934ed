import { mongoFields, mongoFieldsOf, mongoSchema } from "@hearth/runtime/network";
import type { MongoDocument } from "@hearth/runtime/network";
import { auditEntry, invitationRecord, resetCodeRecord } from "../../domain/operator-store.ts";
import type { AuditEntry, InvitationRecord, ResetCode } from "../../domain/operator-store.ts";

/** The uses that remain are not stored here: they are counted in `invitation_uses`. */
type InvitationDocument = MongoDocument<Omit<InvitationRecord, "remaining">, "id">;

/** A use of an invitation. Its unique `_id`, `<code hash> <number of the use>`, keeps the number of uses limited. */
export interface InvitationUseDocument {
  readonly _id: string;
  readonly codeHash: string;
}

/** One per account; its `_id` is the account's. */
type ResetCodeDocument = MongoDocument<ResetCode>;
type AuditDocument = MongoDocument<AuditEntry, "id">;

const invitations = mongoSchema<InvitationDocument>(
  "invitations",
  mongoFieldsOf(invitationRecord.omit({ id: true, remaining: true })),
).index({ codeHash: 1 }, { unique: true });

const invitationUses = mongoSchema<InvitationUseDocument>("invitation_uses", {
  codeHash: mongoFields.text,
}).index({ codeHash: 1 });

const resetCodes = mongoSchema<ResetCodeDocument>("reset_codes", mongoFieldsOf(resetCodeRecord)).index(
  { codeHash: 1 },
  { unique: true },
);

const auditLog = mongoSchema<AuditDocument>("audit_log", mongoFieldsOf(auditEntry.omit({ id: true }))).index({
  at: -1,
});

export const operatorSchemas = { invitations, invitationUses, resetCodes, auditLog };
