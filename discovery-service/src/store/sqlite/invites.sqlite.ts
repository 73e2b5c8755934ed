import type { Invite } from "@hearth/contracts";
import { columnsOf } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import { requireQuota } from "../../domain/quotas.ts";
import { descending } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import { inviteRecord } from "../../domain/records.ts";
import type { InviteStore } from "../../domain/store.ts";

const columns = columnsOf(inviteRecord);
export const INVITE = columns.select("i");

const prepared = ({ prepare }: SqliteCalls) => ({
  create: prepare(`INSERT INTO invites ${columns.insert} ON CONFLICT DO NOTHING`),
  find: prepare(`SELECT ${INVITE} FROM invites i WHERE i.code = ?`),
  deleteSpent: prepare(`
    DELETE FROM invites WHERE server_id = ? AND (expires_at <= ? OR uses >= max_uses)`),
  count: prepare(`
    SELECT count(*) AS count, coalesce(sum(created_by = ?), 0) AS own FROM invites WHERE server_id = ?`),
  list: prepare(`
    SELECT ${INVITE} FROM invites i
    JOIN servers s ON s.id = i.server_id
    JOIN members m ON m.server_id = i.server_id AND m.user_id = i.created_by
    WHERE i.server_id = ? AND (i.created_at, i.code) < (?, ?) AND (i.expires_at IS NULL OR i.expires_at > ?)
      AND (i.max_uses IS NULL OR i.uses < i.max_uses) AND (s.visibility <> 'private' OR m.role <> 'member')
    ORDER BY i.created_at DESC, i.code DESC LIMIT ?`),
  remove: prepare("DELETE FROM invites WHERE code = ?"),
});

export function sqliteInvites(db: SqliteCalls, steps: Steps): InviteStore {
  const sql = prepared(db);
  return {
    create: db.transaction((invite, authority, quota) => {
      const { serverId, createdBy, createdAt } = invite;
      if (!steps.hasRole(authority)) return false;
      sql.deleteSpent.run(serverId, createdAt);
      const { count, own } = sql.count.get(createdBy, serverId) as { count: number; own: number };
      requireQuota("invites_member", own, quota.invitesOfMember);
      requireQuota("invites", count, quota.invites);
      return sql.create.run({ ...invite }).changes === 1;
    }),
    find: db.query((code) => {
      const invite = sql.find.get(code) as unknown as Invite | undefined;
      return invite && steps.mayInvite(invite.serverId, invite.createdBy) ? invite : null;
    }),
    list: db.query((serverId, slice, now) => {
      const [createdAt, code, limit] = descending(slice);
      return sql.list.all(serverId, createdAt, code, now, limit) as unknown as Invite[];
    }),
    remove: db.transaction(
      ({ code }, authority) =>
        (authority === null || steps.hasRole(authority)) && sql.remove.run(code).changes === 1,
    ),
  };
}
