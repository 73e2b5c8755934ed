import type { Sqlite } from "@hearth/runtime";
import { callsOf, columnsOf } from "@hearth/runtime";
import type { SessionStore } from "../../domain/store.ts";
import { listedSession, sessionRecord } from "../../domain/records.ts";
import type {
  EndedSession,
  FoundSession,
  ListedSession,
  SessionRecord,
  SessionState,
} from "../../domain/records.ts";

const storedSession = sessionRecord.omit({ addressBlock: true });

const prepared = (db: Sqlite) => ({
  insert: db.statement(`INSERT INTO sessions ${columnsOf(storedSession).insert}`),
  noteAddress: db.statement(`
    INSERT INTO account_addresses (account_id, address_block, last_login_at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET last_login_at = excluded.last_login_at`),
  hasHash: db.statement("SELECT 1 FROM accounts WHERE id = ? AND password_hash = ? AND state = 'active'"),
  byToken: db.statement(`
    SELECT s.id, s.account_id AS accountId, a.username, a.display_name AS displayName,
      s.last_used_at AS lastUsedAt, s.expires_at AS expiresAt, s.device_name AS deviceName,
      s.end_reason AS endReason
    FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.token_hash = ?`),
  state: db.statement(`
    SELECT expires_at AS expiresAt, end_reason AS endReason FROM sessions WHERE id = ? AND account_id = ?`),
  list: db.statement(`
    SELECT ${columnsOf(listedSession).select()}
    FROM sessions WHERE account_id = ? AND ended_at IS NULL AND expires_at > ?
    ORDER BY last_used_at DESC, id DESC`),
  note: db.statement(`
    UPDATE sessions SET last_used_at = ?, device_name = ?
    WHERE id = ? AND last_used_at = ? AND ended_at IS NULL`),
  end: db.statement(`
    UPDATE sessions SET ended_at = :at, end_reason = 'revoked'
    WHERE id = :id AND account_id = :accountId AND ended_at IS NULL AND expires_at > :at`),
  endOthers: db.statement(`
    UPDATE sessions SET ended_at = :at, end_reason = 'revoked'
    WHERE account_id = :accountId AND id <> :keepId AND ended_at IS NULL AND expires_at > :at`),
  anyExpired: db.statement("SELECT 1 FROM sessions WHERE ended_at IS NULL AND expires_at <= ? LIMIT 1"),
  expire: db.statement(`
    UPDATE sessions SET ended_at = :now, end_reason = 'expired' WHERE ended_at IS NULL AND expires_at <= :now`),
  unannounced: db.statement(`
    SELECT id AS sessionId, account_id AS userId, end_reason AS reason FROM sessions
    WHERE ended_at IS NOT NULL AND announced = 0 ORDER BY ended_at LIMIT ?`),
  announce: db.statement("UPDATE sessions SET announced = 1 WHERE id = ? AND ended_at IS NOT NULL"),
  forget: db.statement("DELETE FROM sessions WHERE announced = 1 AND ended_at < ?"),
  forgetAddresses: db.statement("DELETE FROM account_addresses WHERE last_login_at < ?"),
});

/** Writes to sessions that are part of a transaction on accounts. */
export interface SessionWriter {
  readonly insert: (session: SessionRecord) => void;
  readonly revokeOthers: (accountId: string, keepId: string, at: number) => void;
  readonly revokeAll: (accountId: string, at: number) => void;
}

export function sqliteSessions(db: Sqlite): SessionStore & { readonly writer: SessionWriter } {
  const sql = prepared(db);
  const { query, transaction } = callsOf(db);
  const writer: SessionWriter = {
    insert: ({ addressBlock, ...session }) => {
      sql.insert.run(session);
      sql.noteAddress.run(session.accountId, addressBlock, session.createdAt);
    },
    revokeOthers: (accountId, keepId, at) => void sql.endOthers.run({ accountId, keepId, at }),
    revokeAll: (accountId, at) => void sql.endOthers.run({ accountId, keepId: "", at }),
  };
  return {
    writer,
    createSession: transaction((session, passwordHash) => {
      if (sql.hasHash.get(session.accountId, passwordHash) === undefined) return false;
      writer.insert(session);
      return true;
    }),
    findSession: query((tokenHash) => (sql.byToken.get(tokenHash) as FoundSession | undefined) ?? null),
    sessionState: query((id, account) => (sql.state.get(id, account) as SessionState | undefined) ?? null),
    listSessions: query((accountId, now) => sql.list.all(accountId, now) as unknown as ListedSession[]),
    noteUses: transaction((notes) => {
      for (const { id, seenLastUsedAt, lastUsedAt, deviceName } of notes)
        sql.note.run(lastUsedAt, deviceName, id, seenLastUsedAt);
    }),
    endSession: query((id, accountId, at) => sql.end.run({ id, accountId, at }).changes === 1),
    endOtherSessions: query(writer.revokeOthers),
    expireSessions: query((now) => {
      // A read takes no lock, and most of the time there is nothing to write.
      if (sql.anyExpired.get(now)) sql.expire.run({ now });
    }),
    unannounced: query((limit) => sql.unannounced.all(limit) as unknown as EndedSession[]),
    markAnnounced: transaction((ids) => {
      for (const id of ids) sql.announce.run(id);
    }),
    forgetEnded: transaction((before, unusedBefore) => {
      sql.forget.run(before);
      sql.forgetAddresses.run(unusedBefore);
    }),
  };
}
