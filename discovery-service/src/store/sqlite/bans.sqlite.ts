import type { SqliteCalls } from "@hearth/runtime";
import { descending } from "./rows.sqlite.ts";
import { requireRoom } from "../../domain/quotas.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { BanRecord, BanStore } from "../../domain/store.ts";

export const BAN = `server_id AS serverId, user_id AS userId, banned_by AS bannedBy, reason, created_at AS createdAt,
  expires_at AS expiresAt, revision`;

const prepared = ({ prepare }: SqliteCalls) => ({
  find: prepare(`SELECT ${BAN} FROM bans WHERE server_id = ? AND user_id = ?`),
  put: prepare(`
    INSERT OR REPLACE INTO bans (server_id, user_id, banned_by, reason, created_at, expires_at, revision)
    VALUES (:serverId, :userId, :bannedBy, :reason, :createdAt, :expiresAt, :revision)`),
  forgetExpired: prepare("DELETE FROM bans WHERE server_id = ? AND expires_at <= ?"),
  count: prepare("SELECT count(*) AS count FROM bans WHERE server_id = ?"),
  lift: prepare("DELETE FROM bans WHERE server_id = ? AND user_id = ? AND revision = ?"),
  list: prepare(`
    SELECT ${BAN} FROM bans
    WHERE server_id = ? AND (created_at, user_id) < (?, ?) AND (expires_at IS NULL OR expires_at > ?)
    ORDER BY created_at DESC, user_id DESC LIMIT ?`),
});

export function sqliteBans(db: SqliteCalls, steps: Steps): BanStore {
  const sql = prepared(db);
  const find = (serverId: string, userId: string): BanRecord | null =>
    (sql.find.get(serverId, userId) as unknown as BanRecord | undefined) ?? null;
  const countOf = (serverId: string): number => (sql.count.get(serverId) as { count: number }).count;
  const requireBanRoom = (serverId: string, now: number, limit: number): void => {
    if (countOf(serverId) >= limit) sql.forgetExpired.run(serverId, now);
    requireRoom("bans", countOf(serverId), limit);
  };
  return {
    find: db.query(find),
    put: db.transaction((ban, before, member, authority, ending, quota) => {
      const { serverId, userId, bannedBy, reason, createdAt, expiresAt, revision } = ban;
      const isAsRead =
        steps.holds(authority) &&
        find(serverId, userId)?.revision === before?.revision &&
        steps.roleOf(serverId, userId) === (member?.role ?? null);
      if (!isAsRead) return false;
      if (before === null) requireBanRoom(serverId, createdAt, quota.bans);
      sql.put.run({ serverId, userId, bannedBy, reason, createdAt, expiresAt, revision });
      steps.exit(serverId, userId);
      steps.withdrawInvites(serverId, userId);
      steps.keepEnding(ending);
      return true;
    }),
    lift: db.transaction(
      ({ serverId, userId, revision }, authority) =>
        steps.holds(authority) && sql.lift.run(serverId, userId, revision).changes === 1,
    ),
    list: db.query((serverId, slice, now) => {
      const [createdAt, userId, limit] = descending(slice);
      return sql.list.all(serverId, createdAt, userId, now, limit) as unknown as BanRecord[];
    }),
  };
}
