import type { Sqlite } from "@hearth/runtime";
import { callsOf, columnsOf } from "@hearth/runtime";
import type { SessionWriter } from "./sessions.sqlite.ts";
import type { AccountStore, ImportMode, ImportOutcome } from "../../domain/store.ts";
import { accountRecord } from "../../domain/records.ts";
import type { AccountRecord } from "../../domain/records.ts";

const columns = columnsOf(accountRecord);
export const ACCOUNT = columns.select();

const prepared = (db: Sqlite) => ({
  insert: db.statement(`INSERT INTO accounts ${columns.insert} ON CONFLICT DO NOTHING`),
  byId: db.statement(`SELECT ${ACCOUNT} FROM accounts WHERE id = ?`),
  byName: db.statement(`SELECT ${ACCOUNT} FROM accounts WHERE folded_name = ?`),
  rename: db.statement(
    "UPDATE accounts SET display_name = ?, version = version + 1 WHERE id = ? AND version = ?",
  ),
  replaceHash: db.statement("UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?"),
  changeHash: db.statement(`
    UPDATE accounts SET password_hash = :to
    WHERE id = :accountId AND password_hash = :from AND EXISTS (
      SELECT 1 FROM sessions
      WHERE id = :keepSessionId AND account_id = :accountId AND ended_at IS NULL AND expires_at > :at)`),
  knowsAddress: db.statement(`
    SELECT 1 FROM accounts JOIN account_addresses ON account_id = id
    WHERE folded_name = ? AND address_block = ?`),
});

type Statements = ReturnType<typeof prepared>;

const found = (row: unknown): AccountRecord | null => (row as AccountRecord | undefined) ?? null;

function importAll(
  { byId, byName, insert }: Statements,
  accounts: readonly AccountRecord[],
  mode: ImportMode,
): ImportOutcome {
  const taken: { index: number; field: "username" | "id" }[] = [];
  const free: AccountRecord[] = [];
  for (const [index, account] of accounts.entries()) {
    if (byName.get(account.foldedName)) taken.push({ index, field: "username" });
    else if (byId.get(account.id)) taken.push({ index, field: "id" });
    else free.push(account);
  }
  if (mode === "none" || (mode === "all" && taken.length > 0)) return { imported: 0, taken };
  for (const account of free) insert.run({ ...account });
  return { imported: free.length, taken };
}

export function sqliteAccounts(db: Sqlite, sessions: SessionWriter): AccountStore {
  const sql = prepared(db);
  const { query, transaction } = callsOf(db);
  return {
    createAccount: transaction((account, session) => {
      if (sql.insert.run({ ...account }).changes === 0) return false;
      sessions.insert(session);
      return true;
    }),
    findAccount: query((id) => found(sql.byId.get(id))),
    findAccountByName: query((foldedName) => found(sql.byName.get(foldedName))),
    renameAccount: query((id, version, name) => sql.rename.run(name, id, version).changes === 1),
    replacePasswordHash: query((id, from, to) => sql.replaceHash.run(to, id, from).changes === 1),
    changePassword: transaction((change) => {
      if (sql.changeHash.run({ ...change }).changes === 0) return false;
      sessions.revokeOthers(change.accountId, change.keepSessionId, change.at);
      return true;
    }),
    knowsAddress: query((foldedName, block) => sql.knowsAddress.get(foldedName, block) !== undefined),
    importAccounts: transaction((accounts, mode) => importAll(sql, accounts, mode)),
  };
}
