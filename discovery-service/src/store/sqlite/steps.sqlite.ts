import type { Role, Visibility } from "@hearth/contracts";
import { columnsOf, pickFields } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import { MEMBER, SERVER, memberOf, serverOf } from "./rows.sqlite.ts";
import type { MemberRow, ServerRow } from "./rows.sqlite.ts";
import { roleMayInvite } from "../../domain/permissions.ts";
import { requireQuota } from "../../domain/quotas.ts";
import type { Quotas } from "../../domain/quotas.ts";
import { memberRecord } from "../../domain/records.ts";
import type { Authority, Ending, MemberRecord, ServerAndMember } from "../../domain/records.ts";
import { heated } from "../../domain/trending.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  serverAndMember: prepare(`
    SELECT ${SERVER}, ${MEMBER}
    FROM servers s LEFT JOIN members m ON m.server_id = s.id AND m.user_id = :userId
    WHERE s.id = :serverId`),
  role: prepare("SELECT role FROM members WHERE user_id = ? AND server_id = ?"),
  heat: prepare("SELECT heat FROM servers WHERE id = ?"),
  setHeat: prepare("UPDATE servers SET heat = ? WHERE id = ?"),
  insertMember: prepare(`INSERT INTO members ${columnsOf(memberRecord).insert}`),
  deleteMember: prepare("DELETE FROM members WHERE user_id = ? AND server_id = ?"),
  count: prepare("UPDATE servers SET member_count = member_count + ? WHERE id = ?"),
  deleteInvites: prepare("DELETE FROM invites WHERE server_id = ? AND created_by = ?"),
  owned: prepare("SELECT count(*) AS count FROM servers WHERE owner_id = ?"),
  visibility: prepare("SELECT visibility FROM servers WHERE id = ?"),
  banned: prepare(`
    SELECT 1 FROM bans WHERE server_id = ? AND user_id = ? AND (expires_at IS NULL OR expires_at > ?)`),
  storeEnding: prepare(`
    INSERT INTO endings (id, server_id, user_id, reason) VALUES (:id, :serverId, :userId, :reason)`),
});

/** Steps that several writes share. Each runs inside the transaction of its caller. */
export type Steps = ReturnType<typeof createSteps>;

export function createSteps(db: SqliteCalls) {
  const sql = prepared(db);
  const roleOf = (serverId: string, userId: string): Role | null => {
    const row = sql.role.get(userId, serverId) as { role: Role } | undefined;
    return row?.role ?? null;
  };
  const addHeat = (serverId: string, points: number, at: number): void => {
    const row = sql.heat.get(serverId) as { heat: number } | undefined;
    if (row) sql.setHeat.run(heated(row.heat, points, at), serverId);
  };
  const deleteInvites = (serverId: string, userId: string): void =>
    void sql.deleteInvites.run(serverId, userId);
  const ownedBy = (userId: string): number => (sql.owned.get(userId) as { count: number }).count;
  return {
    ownedBy,
    requireServerQuota: (userId: string, { serversOwned }: Pick<Quotas, "serversOwned">): void =>
      requireQuota("servers_owned", ownedBy(userId), serversOwned),
    mayInvite(serverId: string, userId: string): boolean {
      const row = sql.visibility.get(serverId) as { visibility: Visibility } | undefined;
      return row !== undefined && roleMayInvite(roleOf(serverId, userId), row.visibility);
    },
    roleOf,
    addHeat,
    hasRole: ({ serverId, userId, role }: Authority): boolean => roleOf(serverId, userId) === role,
    serverAndMember(serverId: string, userId: string): ServerAndMember | null {
      const row = sql.serverAndMember.get({ serverId, userId }) as unknown as
        | (ServerRow & MemberRow)
        | undefined;
      return row ? { server: serverOf(row), member: memberOf(row) } : null;
    },
    isBanned: (serverId: string, userId: string, at: number): boolean =>
      sql.banned.get(serverId, userId, at) !== undefined,
    insertMember(member: MemberRecord, points: number): void {
      sql.insertMember.run(pickFields(memberRecord, member));
      sql.count.run(1, member.serverId);
      addHeat(member.serverId, points, member.joinedAt);
    },
    deleteMember(serverId: string, userId: string): void {
      if (sql.deleteMember.run(userId, serverId).changes === 1) sql.count.run(-1, serverId);
    },
    deleteInvites,
    storeEnding: ({ id, serverId, userId, reason }: Ending) =>
      sql.storeEnding.run({ id, serverId, userId, reason }),
  };
}
