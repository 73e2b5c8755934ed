import type { Invite } from "@hearth/contracts";
import type { SqliteCalls } from "@hearth/runtime";
import type { Steps } from "./steps.sqlite.ts";
import type { InviteStore } from "./store.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  create: prepare(`
    INSERT INTO invites (code, server_id, created_by, created_at, expires_at, max_uses, uses)
    VALUES (:code, :serverId, :createdBy, :createdAt, :expiresAt, :maxUses, :uses)
    ON CONFLICT DO NOTHING`),
  find: prepare(`
    SELECT code, server_id AS serverId, created_by AS createdBy, created_at AS createdAt, expires_at AS expiresAt,
      max_uses AS maxUses, uses
    FROM invites WHERE code = ?`),
  remove: prepare("DELETE FROM invites WHERE code = ?"),
});

export function sqliteInvites(db: SqliteCalls, steps: Steps): InviteStore {
  const sql = prepared(db);
  return {
    create: db.transaction(
      (invite, authority) => steps.holds(authority) && sql.create.run({ ...invite }).changes === 1,
    ),
    find: db.query((code) => (sql.find.get(code) as unknown as Invite | undefined) ?? null),
    remove: db.transaction(
      ({ code }, authority) =>
        (authority === null || steps.holds(authority)) && sql.remove.run(code).changes === 1,
    ),
  };
}
