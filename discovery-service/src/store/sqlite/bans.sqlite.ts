import { columnsOf } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import { descending } from "./rows.sqlite.ts";
import { requireQuota } from "../../domain/quotas.ts";
import type { Steps } from "./steps.sqlite.ts";
import { banRecord } from "../../domain/records.ts";
import type { BanRecord } from "../../domain/records.ts";
import type { BanStore } from "../../domain/store.ts";

const columns = columnsOf(banRecord);
export const BAN = columns.select();

const prepared = ({ prepare }: SqliteCalls) => ({
  find: prepare(`SELECT ${BAN} FROM bans WHERE server_id = ? AND user_id = ?`),
  put: prepare(`INSERT OR REPLACE INTO bans ${columns.insert}`),
  deleteExpired: prepare("DELETE FROM bans WHERE server_id = ? AND expires_at <= ?"),
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
  const requireBanQuota = (serverId: string, now: number, limit: number): void => {
    if (countOf(serverId) >= limit) sql.deleteExpired.run(serverId, now);
    requireQuota("bans", countOf(serverId), limit);
  };
  return {
    find: db.query(find),
    put: db.transaction((ban, before, member, authority, ending, quota) => {
      const { serverId, userId, createdAt } = ban;
      const isAsRead =
        steps.hasRole(authority) &&
        find(serverId, userId)?.revision === before?.revision &&
        steps.roleOf(serverId, userId) === (member?.role ?? null);
      if (!isAsRead) return false;
      if (before === null) requireBanQuota(serverId, createdAt, quota.bans);
      sql.put.run({ ...ban });
      steps.deleteMember(serverId, userId);
      steps.deleteInvites(serverId, userId);
      steps.storeEnding(ending);
      return true;
    }),
    lift: db.transaction(
      ({ serverId, userId, revision }, authority) =>
        steps.hasRole(authority) && sql.lift.run(serverId, userId, revision).changes === 1,
    ),
    list: db.query((serverId, slice, now) => {
      const [createdAt, userId, limit] = descending(slice);
      return sql.list.all(serverId, createdAt, userId, now, limit) as unknown as BanRecord[];
    }),
  };
}
