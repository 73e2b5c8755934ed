import type { Role } from "@hearth/contracts";
import type { SqliteCalls } from "@hearth/runtime";
import { MEMBER, SERVER, memberOf, serverOf } from "./rows.sqlite.ts";
import type { MemberRow, ServerRow } from "./rows.sqlite.ts";
import type { Authority, Ending, MemberRecord, Standing } from "./store.ts";
import { heated } from "./trending.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  standing: prepare(`
    SELECT ${SERVER}, ${MEMBER}
    FROM servers s LEFT JOIN members m ON m.server_id = s.id AND m.user_id = :userId
    WHERE s.id = :serverId`),
  role: prepare("SELECT role FROM members WHERE user_id = ? AND server_id = ?"),
  heat: prepare("SELECT heat FROM servers WHERE id = ?"),
  heatUp: prepare("UPDATE servers SET heat = ? WHERE id = ?"),
  enter: prepare(`
    INSERT INTO members (user_id, server_id, display_name, role, joined_at)
    VALUES (:userId, :serverId, :displayName, :role, :joinedAt)`),
  exit: prepare("DELETE FROM members WHERE user_id = ? AND server_id = ?"),
  count: prepare("UPDATE servers SET member_count = member_count + ? WHERE id = ?"),
  withdrawInvites: prepare("DELETE FROM invites WHERE server_id = ? AND created_by = ?"),
  banned: prepare(`
    SELECT 1 FROM bans WHERE server_id = ? AND user_id = ? AND (expires_at IS NULL OR expires_at > ?)`),
  keepEnding: prepare(`
    INSERT INTO endings (id, server_id, user_id, reason) VALUES (:id, :serverId, :userId, :reason)`),
});

/** What several writes have in common. Each step runs inside the transaction of its caller. */
export type Steps = ReturnType<typeof createSteps>;

export function createSteps(db: SqliteCalls) {
  const sql = prepared(db);
  const roleOf = (serverId: string, userId: string): Role | null => {
    const row = sql.role.get(userId, serverId) as { role: Role } | undefined;
    return row?.role ?? null;
  };
  const warm = (serverId: string, points: number, at: number): void => {
    const row = sql.heat.get(serverId) as { heat: number } | undefined;
    if (row) sql.heatUp.run(heated(row.heat, points, at), serverId);
  };
  return {
    roleOf,
    warm,
    holds: ({ serverId, userId, role }: Authority): boolean => roleOf(serverId, userId) === role,
    standing(serverId: string, userId: string): Standing | null {
      const row = sql.standing.get({ serverId, userId }) as unknown as (ServerRow & MemberRow) | undefined;
      return row ? { server: serverOf(row), member: memberOf(row) } : null;
    },
    isBanned: (serverId: string, userId: string, at: number): boolean =>
      sql.banned.get(serverId, userId, at) !== undefined,
    enter({ serverId, userId, displayName, role, joinedAt }: MemberRecord, points: number): void {
      sql.enter.run({ serverId, userId, displayName, role, joinedAt });
      sql.count.run(1, serverId);
      warm(serverId, points, joinedAt);
    },
    exit(serverId: string, userId: string): void {
      if (sql.exit.run(userId, serverId).changes === 1) sql.count.run(-1, serverId);
    },
    withdrawInvites: (serverId: string, userId: string) => sql.withdrawInvites.run(serverId, userId),
    keepEnding: ({ id, serverId, userId, reason }: Ending) =>
      sql.keepEnding.run({ id, serverId, userId, reason }),
  };
}
