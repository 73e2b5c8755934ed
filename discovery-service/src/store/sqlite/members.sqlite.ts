import type { SqliteCalls } from "@hearth/runtime";
import { LISTED, MEMBER, ascending, listedOf, memberOf } from "./rows.sqlite.ts";
import type { ListedRow, MemberRow } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { ListedMembership, MemberRecord, NewMember } from "../../domain/records.ts";
import type { MemberStore } from "../../domain/store.ts";

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
    SELECT ${LISTED}, ${MEMBER} FROM members m JOIN servers s ON s.id = m.server_id
    WHERE m.user_id = ? AND (m.joined_at, m.server_id) > (?, ?)
    ORDER BY m.joined_at, m.server_id LIMIT ?`),
  staff: prepare("SELECT user_id AS userId FROM members WHERE server_id = ? AND role <> 'member'"),
  longestMember: prepare(`
    SELECT ${MEMBER} FROM members m WHERE m.server_id = ? AND m.role = ? ORDER BY m.joined_at, m.user_id LIMIT 1`),
  makerOf: prepare("SELECT created_by AS userId FROM invites WHERE code = ? AND server_id = ?"),
  shared: prepare(`
    SELECT 1 FROM members mine JOIN members theirs ON theirs.server_id = mine.server_id
    WHERE mine.user_id = ? AND theirs.user_id = ? LIMIT 1`),
  rename: prepare("UPDATE members SET display_name = ? WHERE user_id = ?"),
  addUsername: prepare("UPDATE members SET username = ? WHERE user_id = ? AND username IS NULL"),
  addRequestUsername: prepare("UPDATE requests SET username = ? WHERE user_id = ? AND username IS NULL"),
  renameRequests: prepare("UPDATE requests SET display_name = ? WHERE user_id = ? AND status = 'pending'"),
});

const membersOf = (rows: unknown): MemberRecord[] =>
  (rows as MemberRow[]).flatMap((row) => memberOf(row) ?? []);

const membershipsOf = (rows: unknown): ListedMembership[] =>
  (rows as (ListedRow & MemberRow)[]).flatMap((row) => {
    const member = memberOf(row);
    return member ? [{ server: listedOf(row), member }] : [];
  });

function admits(steps: Steps, { member, visibility }: NewMember): boolean {
  const { serverId, userId, joinedAt } = member;
  const found = steps.serverAndMember(serverId, userId);
  return (
    found?.member === null &&
    found.server.visibility === visibility &&
    !steps.isBanned(serverId, userId, joinedAt)
  );
}

export function sqliteMembers(db: SqliteCalls, steps: Steps): MemberStore {
  const sql = prepared(db);
  const useInvite = (code: string, { serverId, joinedAt: at }: MemberRecord): boolean => {
    const maker = sql.makerOf.get(code, serverId) as { userId: string } | undefined;
    if (!maker || !steps.mayInvite(serverId, maker.userId)) return false;
    return sql.useInvite.run({ code, serverId, at }).changes === 1;
  };
  return {
    serverAndMember: db.query((serverId, userId) => steps.serverAndMember(serverId, userId)),
    add: db.transaction((entry) => {
      const { member, inviteCode, points } = entry;
      if (!admits(steps, entry) || (inviteCode !== null && !useInvite(inviteCode, member))) return null;
      steps.insertMember(member, points);
      const joined = steps.serverAndMember(member.serverId, member.userId);
      return joined && { server: joined.server, member };
    }),
    remove: db.transaction((member, authority, ending) => {
      if (!steps.hasRole(member) || (authority !== null && !steps.hasRole(authority))) return false;
      steps.deleteMember(member.serverId, member.userId);
      steps.deleteInvites(member.serverId, member.userId);
      steps.storeEnding(ending);
      return true;
    }),
    setRole: db.transaction((member, role, authority) => {
      if (!steps.hasRole(authority) || !steps.hasRole(member)) return false;
      const { serverId, userId } = member;
      if (sql.setRole.run(role, userId, serverId).changes === 0) return false;
      if (!steps.mayInvite(serverId, userId)) steps.deleteInvites(serverId, userId);
      return true;
    }),
    list: db.query((serverId, slice) => membersOf(sql.list.all(serverId, ...ascending(slice)))),
    listOf: db.query((userId, slice) => membershipsOf(sql.listOf.all(userId, ...ascending(slice)))),
    staff: db.query((serverId) =>
      (sql.staff.all(serverId) as { userId: string }[]).map(({ userId }) => userId),
    ),
    longestMember: db.query((serverId, role) => membersOf(sql.longestMember.all(serverId, role))[0] ?? null),
    shareServer: db.query((userId, otherUserId) => sql.shared.get(userId, otherUserId) !== undefined),
    rename: db.transaction((userId, displayName) => {
      sql.rename.run(displayName, userId);
      sql.renameRequests.run(displayName, userId);
    }),
    addUsername: db.transaction((userId, username) => {
      sql.addUsername.run(username, userId);
      sql.addRequestUsername.run(username, userId);
    }),
  };
}
