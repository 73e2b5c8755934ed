import type { SqliteCalls } from "@hearth/runtime";
import { MEMBER, SERVER, ascending, memberOf, serverOf } from "./rows.sqlite.ts";
import type { MemberRow, ServerRow } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { MemberRecord, MemberStore, Membership, NewMember } from "./store.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  useInvite: prepare(`
    UPDATE invites SET uses = uses + 1
    WHERE code = :code AND server_id = :serverId AND (max_uses IS NULL OR uses < max_uses)
      AND (expires_at IS NULL OR expires_at > :at)`),
  setRole: prepare("UPDATE members SET role = ? WHERE user_id = ? AND server_id = ?"),
  list: prepare(`
    SELECT ${MEMBER} FROM members m
    WHERE m.server_id = ? AND (m.joined_at, m.user_id) > (?, ?)
    ORDER BY m.joined_at, m.user_id LIMIT ?`),
  listOf: prepare(`
    SELECT ${SERVER}, ${MEMBER} FROM members m JOIN servers s ON s.id = m.server_id
    WHERE m.user_id = ? AND (m.joined_at, m.server_id) > (?, ?)
    ORDER BY m.joined_at, m.server_id LIMIT ?`),
  staff: prepare("SELECT user_id AS userId FROM members WHERE server_id = ? AND role <> 'member'"),
  shared: prepare(`
    SELECT 1 FROM members mine JOIN members theirs ON theirs.server_id = mine.server_id
    WHERE mine.user_id = ? AND theirs.user_id = ? LIMIT 1`),
  rename: prepare("UPDATE members SET display_name = ? WHERE user_id = ?"),
  renameRequests: prepare("UPDATE requests SET display_name = ? WHERE user_id = ? AND status = 'pending'"),
});

const membersOf = (rows: unknown): MemberRecord[] =>
  (rows as MemberRow[]).flatMap((row) => memberOf(row) ?? []);

const membershipsOf = (rows: unknown): Membership[] =>
  (rows as (ServerRow & MemberRow)[]).flatMap((row) => {
    const member = memberOf(row);
    return member ? [{ server: serverOf(row), member }] : [];
  });

function admits(steps: Steps, { member, visibility }: NewMember): boolean {
  const { serverId, userId, joinedAt } = member;
  const standing = steps.standing(serverId, userId);
  return (
    standing?.member === null &&
    standing.server.visibility === visibility &&
    !steps.isBanned(serverId, userId, joinedAt)
  );
}

export function sqliteMembers(db: SqliteCalls, steps: Steps): MemberStore {
  const sql = prepared(db);
  const isUsed = (code: string, { serverId, joinedAt: at }: MemberRecord): boolean =>
    sql.useInvite.run({ code, serverId, at }).changes === 1;
  return {
    standing: db.query((serverId, userId) => steps.standing(serverId, userId)),
    add: db.transaction((entry) => {
      const { member, inviteCode, points } = entry;
      if (!admits(steps, entry) || (inviteCode !== null && !isUsed(inviteCode, member))) return null;
      steps.enter(member, points);
      const standing = steps.standing(member.serverId, member.userId);
      return standing && { server: standing.server, member };
    }),
    remove: db.transaction((member, authority, ending) => {
      if (!steps.holds(member) || (authority !== null && !steps.holds(authority))) return false;
      steps.exit(member.serverId, member.userId);
      if (authority !== null) steps.withdrawInvites(member.serverId, member.userId);
      steps.keepEnding(ending);
      return true;
    }),
    setRole: db.transaction((member, role, authority) => {
      if (!steps.holds(authority) || !steps.holds(member)) return false;
      return sql.setRole.run(role, member.userId, member.serverId).changes === 1;
    }),
    list: db.query((serverId, slice) => membersOf(sql.list.all(serverId, ...ascending(slice)))),
    listOf: db.query((userId, slice) => membershipsOf(sql.listOf.all(userId, ...ascending(slice)))),
    staff: db.query((serverId) =>
      (sql.staff.all(serverId) as { userId: string }[]).map(({ userId }) => userId),
    ),
    shareServer: db.query((userId, otherUserId) => sql.shared.get(userId, otherUserId) !== undefined),
    rename: db.transaction((userId, displayName) => {
      sql.rename.run(displayName, userId);
      sql.renameRequests.run(displayName, userId);
    }),
  };
}
