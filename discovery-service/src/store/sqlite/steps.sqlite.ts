import type { Role, Visibility } from "@hearth/contracts";
import type { SqliteCalls } from "@hearth/runtime";
import { MEMBER, SERVER, memberOf, serverOf } from "./rows.sqlite.ts";
import type { MemberRow, ServerRow } from "./rows.sqlite.ts";
import { mayInvite } from "../../domain/permissions.ts";
import { requireRoom } from "../../domain/quotas.ts";
import type { Quotas } from "../../domain/quotas.ts";
import type { Authority, Ending, MemberRecord, Standing } from "../../domain/store.ts";
import { heated } from "../../domain/trending.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  standing: prepare(`
    SELECT ${SERVER}, ${MEMBER}
    FROM servers s LEFT JOIN members m ON m.server_id = s.id AND m.user_id = :userId
    WHERE s.id = :serverId`),
  role: prepare("SELECT role FROM members WHERE user_id = ? AND server_id = ?"),
  heat: prepare("SELECT heat FROM servers WHERE id = ?"),
  heatUp: prepare("UPDATE servers SET heat = ? WHERE id = ?"),
  enter: prepare(`
    INSERT INTO members (user_id, server_id, username, display_name, role, joined_at)
    VALUES (:userId, :serverId, :username, :displayName, :role, :joinedAt)`),
  exit: prepare("DELETE FROM members WHERE user_id = ? AND server_id = ?"),
  count: prepare("UPDATE servers SET member_count = member_count + ? WHERE id = ?"),
  withdrawInvites: prepare("DELETE FROM invites WHERE server_id = ? AND created_by = ?"),
  owned: prepare("SELECT count(*) AS count FROM servers WHERE owner_id = ?"),
  visibility: prepare("SELECT visibility FROM servers WHERE id = ?"),
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
  const withdrawInvites = (serverId: string, userId: string): void =>
    void sql.withdrawInvites.run(serverId, userId);
  const ownedBy = (userId: string): number => (sql.owned.get(userId) as { count: number }).count;
  return {
    ownedBy,
    requireServerRoom: (userId: string, { serversOwned }: Pick<Quotas, "serversOwned">): void =>
      requireRoom("servers_owned", ownedBy(userId), serversOwned),
    mayStillInvite(serverId: string, userId: string): boolean {
      const row = sql.visibility.get(serverId) as { visibility: Visibility } | undefined;
      return row !== undefined && mayInvite(roleOf(serverId, userId), row.visibility);
    },
    roleOf,
    warm,
    holds: ({ serverId, userId, role }: Authority): boolean => roleOf(serverId, userId) === role,
    standing(serverId: string, userId: string): Standing | null {
      const row = sql.standing.get({ serverId, userId }) as unknown as (ServerRow & MemberRow) | undefined;
      return row ? { server: serverOf(row), member: memberOf(row) } : null;
    },
    isBanned: (serverId: string, userId: string, at: number): boolean =>
      sql.banned.get(serverId, userId, at) !== undefined,
    enter({ serverId, userId, username, displayName, role, joinedAt }: MemberRecord, points: number): void {
      sql.enter.run({ serverId, userId, username, displayName, role, joinedAt });
      sql.count.run(1, serverId);
      warm(serverId, points, joinedAt);
    },
    exit(serverId: string, userId: string): void {
      if (sql.exit.run(userId, serverId).changes === 1) sql.count.run(-1, serverId);
    },
    withdrawInvites,
    keepEnding: ({ id, serverId, userId, reason }: Ending) =>
      sql.keepEnding.run({ id, serverId, userId, reason }),
  };
}
