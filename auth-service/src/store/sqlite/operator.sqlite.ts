import { callsOf, columnsOf } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";
import { ACCOUNT } from "./accounts.sqlite.ts";
import type { SessionWriter } from "./sessions.sqlite.ts";
import type { AccountRecord } from "../../domain/records.ts";
import { auditEntry, invitationRecord, resetCodeRecord } from "../../domain/operator-store.ts";
import type {
  AuditEntry,
  AuditStore,
  InvitationRecord,
  InvitationStore,
  OperatorStore,
  ResetStore,
  SuspensionStore,
} from "../../domain/operator-store.ts";

function sqliteInvitations(db: Sqlite): InvitationStore {
  const { query } = callsOf(db);
  const usable =
    "code_hash = :codeHash AND remaining > 0 AND revoked_at IS NULL AND coalesce(expires_at > :at, 1)";
  const columns = columnsOf(invitationRecord);
  const add = db.statement(`INSERT INTO invitations ${columns.insert}`);
  const list = db.statement(
    `SELECT ${columns.select()} FROM invitations ORDER BY created_at DESC, id DESC LIMIT ?`,
  );
  const revoke = db.statement("UPDATE invitations SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL");
  const isUsable = db.statement(`SELECT 1 FROM invitations WHERE ${usable}`);
  const take = db.statement(`UPDATE invitations SET remaining = remaining - 1 WHERE ${usable}`);
  const giveBack = db.statement(
    "UPDATE invitations SET remaining = remaining + 1 WHERE code_hash = ? AND remaining < max_uses",
  );
  return {
    addInvitation: query((invitation) => void add.run({ ...invitation })),
    listInvitations: query((limit) => list.all(limit) as unknown as InvitationRecord[]),
    revokeInvitation: query((id, at) => revoke.run(at, id).changes === 1),
    isInvitationUsable: query((codeHash, at) => isUsable.get({ codeHash, at }) !== undefined),
    takeInvitation: query((codeHash, at) => take.run({ codeHash, at }).changes === 1),
    returnInvitation: query((codeHash) => void giveBack.run(codeHash)),
  };
}

function sqliteResets(db: Sqlite, sessions: SessionWriter): ResetStore {
  const { query, transaction } = callsOf(db);
  const put = db.statement(`
    INSERT INTO reset_codes ${columnsOf(resetCodeRecord).insert}
    ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, created_at = excluded.created_at,
      expires_at = excluded.expires_at`);
  const find = db.statement(
    "SELECT account_id AS accountId FROM reset_codes WHERE code_hash = ? AND expires_at > ?",
  );
  const use = db.statement(
    "DELETE FROM reset_codes WHERE code_hash = :codeHash AND account_id = :accountId AND expires_at > :at",
  );
  const setHash = db.statement("UPDATE accounts SET password_hash = ? WHERE id = ? AND state = 'active'");
  return {
    putResetCode: query((code) => void put.run({ ...code })),
    findResetCode: query(
      (codeHash, at) => (find.get(codeHash, at)?.["accountId"] as string | undefined) ?? null,
    ),
    resetPassword: transaction(({ codeHash, accountId, to, session, at }) => {
      if (use.run({ codeHash, accountId, at }).changes === 0) return false;
      if (setHash.run(to, accountId).changes === 0) return false;
      sessions.revokeAll(accountId, at);
      sessions.insert(session);
      return true;
    }),
  };
}

function sqliteAudit(db: Sqlite): AuditStore {
  const { query } = callsOf(db);
  const columns = columnsOf(auditEntry);
  const append = db.statement(`INSERT INTO audit_log ${columns.insert}`);
  const list = db.statement(`SELECT ${columns.select()} FROM audit_log ORDER BY at DESC, id DESC LIMIT ?`);
  return {
    appendAudit: query((entry) => void append.run({ ...entry })),
    listAudit: query((limit) => list.all(limit) as unknown as AuditEntry[]),
  };
}

function sqliteSuspensions(db: Sqlite, sessions: SessionWriter): SuspensionStore {
  const { query, transaction } = callsOf(db);
  const search = db.statement(`
    SELECT ${ACCOUNT} FROM accounts WHERE id = :text OR instr(folded_name, :text) > 0
    ORDER BY folded_name LIMIT :limit`);
  const suspend = db.statement("UPDATE accounts SET state = 'suspended' WHERE id = ? AND state = 'active'");
  const unsuspend = db.statement("UPDATE accounts SET state = 'active' WHERE id = ? AND state = 'suspended'");
  return {
    searchAccounts: query((text, limit) => search.all({ text, limit }) as unknown as AccountRecord[]),
    suspendAccount: transaction((id, at) => {
      if (suspend.run(id).changes === 0) return false;
      sessions.revokeAll(id, at);
      return true;
    }),
    unsuspendAccount: query((id) => unsuspend.run(id).changes === 1),
  };
}

export const sqliteOperator = (db: Sqlite, sessions: SessionWriter): OperatorStore => ({
  ...sqliteInvitations(db),
  ...sqliteResets(db, sessions),
  ...sqliteAudit(db),
  ...sqliteSuspensions(db, sessions),
});
