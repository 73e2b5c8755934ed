import { blockSchema } from "@hearth/contracts";
import type { Block } from "@hearth/contracts";
import { callsOf, columnsOf } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";
import type { SessionWriter } from "./sessions.sqlite.ts";
import { listedSession } from "../../domain/records.ts";
import { blockRecord, knownAddress, reportRecord } from "../../domain/people-store.ts";
import type {
  BlockStore,
  Deletion,
  DeletionStore,
  KnownAddress,
  PastSession,
  PeopleStore,
  ReportRecord,
  ReportStore,
  TraceStore,
} from "../../domain/people-store.ts";

function sqliteBlocks(db: Sqlite): BlockStore {
  const { query, transaction } = callsOf(db);
  const list = db.statement(`
    SELECT ${columnsOf(blockSchema).select()} FROM blocks
    WHERE account_id = ? ORDER BY created_at DESC, user_id DESC`);
  const count = db.statement("SELECT count(*) AS blocks FROM blocks WHERE account_id = ?");
  const has = db.statement("SELECT 1 FROM blocks WHERE account_id = ? AND user_id = ?");
  const put = db.statement(`INSERT INTO blocks ${columnsOf(blockRecord).insert}`);
  const remove = db.statement("DELETE FROM blocks WHERE account_id = ? AND user_id = ?");
  return {
    listBlocks: query((accountId) => list.all(accountId) as unknown as Block[]),
    putBlock: transaction((accountId, userId, at, limit) => {
      if (has.get(accountId, userId) !== undefined) return "exists";
      if (Number(count.get(accountId)?.["blocks"]) >= limit) return "too_many";
      put.run({ accountId, userId, createdAt: at });
      return "stored";
    }),
    deleteBlock: query((accountId, userId) => remove.run(accountId, userId).changes === 1),
    isBlocked: query((accountId, userId) => has.get(accountId, userId) !== undefined),
  };
}

const reportColumns = columnsOf(reportRecord);
const REPORT = reportColumns.select();

function sqliteReports(db: Sqlite): ReportStore {
  const { query } = callsOf(db);
  const add = db.statement(`INSERT INTO reports ${reportColumns.insert}`);
  const list = {
    all: db.statement(`SELECT ${REPORT} FROM reports ORDER BY created_at, id LIMIT ?`),
    open: db.statement(
      `SELECT ${REPORT} FROM reports WHERE resolved_at IS NULL ORDER BY created_at, id LIMIT ?`,
    ),
  };
  const by = db.statement(`SELECT ${REPORT} FROM reports WHERE reporter_id = ? ORDER BY created_at, id`);
  const resolve = db.statement(
    "UPDATE reports SET resolved_at = :at, resolution = :resolution WHERE id = :id AND resolved_at IS NULL",
  );
  return {
    addReport: query((report) => void add.run({ ...report })),
    listReports: query((which, limit) => list[which].all(limit) as unknown as ReportRecord[]),
    reportsBy: query((accountId) => by.all(accountId) as unknown as ReportRecord[]),
    resolveReport: query((id, resolution, at) => resolve.run({ id, resolution, at }).changes === 1),
  };
}

/** Deletes the records of a deleted account. Its sessions stay until their ends are announced. */
const BELONGINGS = [
  "DELETE FROM account_addresses WHERE account_id = ?",
  "DELETE FROM device_tokens WHERE account_id = ?",
  "DELETE FROM blocks WHERE account_id = ?",
  "DELETE FROM blocks WHERE user_id = ?",
  "DELETE FROM reports WHERE reporter_id = ?",
  "DELETE FROM reset_codes WHERE account_id = ?",
  "UPDATE sessions SET ip = '', user_agent = NULL, device_name = NULL WHERE account_id = ?",
];

function sqliteDeletions(db: Sqlite, sessions: SessionWriter): DeletionStore {
  const { query, transaction } = callsOf(db);
  const mark = db.statement(`
    UPDATE accounts SET state = 'deleted', display_name = '', password_hash = '', version = version + 1,
      deleted_at = :at, owned_servers = :ownedServers, tell_at = :at
    WHERE id = :id AND state <> 'deleted'`);
  const belongings = BELONGINGS.map((sql) => db.statement(sql));
  const due = db.statement(`
    SELECT id AS userId, owned_servers AS ownedServers, deleted_at AS deletedAt FROM accounts
    WHERE tell_at IS NOT NULL AND tell_at <= ? ORDER BY tell_at LIMIT ?`);
  const schedule = db.statement("UPDATE accounts SET tell_at = ? WHERE id = ?");
  return {
    deleteAccount: transaction((id, ownedServers, at) => {
      if (mark.run({ id, ownedServers, at }).changes === 0) return false;
      sessions.revokeAll(id, at);
      for (const remove of belongings) remove.run(id);
      return true;
    }),
    dueDeletions: query((now, limit) => due.all(now, limit) as unknown as Deletion[]),
    scheduleDeletion: query((userId, at) => void schedule.run(at, userId)),
  };
}

function sqliteTraces(db: Sqlite): TraceStore {
  const { query } = callsOf(db);
  const addresses = db.statement(`
    SELECT ${columnsOf(knownAddress).select()} FROM account_addresses
    WHERE account_id = ? ORDER BY last_login_at DESC`);
  const sessions = db.statement(`
    SELECT ${columnsOf(listedSession).select()}, ended_at AS endedAt, end_reason AS endReason
    FROM sessions WHERE account_id = ? ORDER BY created_at, id`);
  return {
    listAddresses: query((accountId) => addresses.all(accountId) as unknown as KnownAddress[]),
    listAllSessions: query((accountId) => sessions.all(accountId) as unknown as PastSession[]),
  };
}

export const sqlitePeople = (db: Sqlite, sessions: SessionWriter): PeopleStore => ({
  ...sqliteBlocks(db),
  ...sqliteReports(db),
  ...sqliteDeletions(db, sessions),
  ...sqliteTraces(db),
});
