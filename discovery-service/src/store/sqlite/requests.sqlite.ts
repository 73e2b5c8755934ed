import type { AccessRequest } from "@hearth/contracts";
import type { SqliteCalls } from "@hearth/runtime";
import { ascending } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { RequestStore } from "../../domain/store.ts";

export const REQUEST = `id, server_id AS serverId, user_id AS userId, username, display_name AS displayName, message, status,
  created_at AS createdAt, decided_at AS decidedAt, decided_by AS decidedBy`;

const prepared = ({ prepare }: SqliteCalls) => ({
  create: prepare(`
    INSERT INTO requests (id, server_id, user_id, username, display_name, message, status, created_at, decided_at, decided_by)
    VALUES (:id, :serverId, :userId, :username, :displayName, :message, :status, :createdAt, :decidedAt, :decidedBy)
    ON CONFLICT DO NOTHING`),
  find: prepare(`SELECT ${REQUEST} FROM requests WHERE id = ?`),
  findPending: prepare(`
    SELECT ${REQUEST} FROM requests WHERE server_id = ? AND user_id = ? AND status = 'pending'`),
  listPending: prepare(`
    SELECT ${REQUEST} FROM requests
    WHERE server_id = ? AND status = 'pending' AND (created_at, id) > (?, ?)
    ORDER BY created_at, id LIMIT ?`),
  decide: prepare(`
    UPDATE requests SET status = :status, decided_at = :decidedAt, decided_by = :decidedBy
    WHERE id = :id AND status = 'pending'`),
});

const requestOf = (row: unknown): AccessRequest | null => (row as AccessRequest | undefined) ?? null;

export function sqliteRequests(db: SqliteCalls, steps: Steps): RequestStore {
  const sql = prepared(db);
  return {
    create: db.transaction((request) => {
      const { serverId, userId, createdAt } = request;
      const standing = steps.standing(serverId, userId);
      const mayAsk = standing?.member === null && standing.server.visibility === "private";
      if (!mayAsk || steps.isBanned(serverId, userId, createdAt)) return false;
      return sql.create.run({ ...request }).changes === 1;
    }),
    find: db.query((id) => requestOf(sql.find.get(id))),
    findPending: db.query((serverId, userId) => requestOf(sql.findPending.get(serverId, userId))),
    listPending: db.query(
      (serverId, slice) => sql.listPending.all(serverId, ...ascending(slice)) as unknown as AccessRequest[],
    ),
    decide: db.transaction(({ id, serverId, userId, username, displayName }, decision, authority, points) => {
      const { status, decidedAt } = decision;
      if (!steps.holds(authority)) return null;
      if (status === "approved" && steps.isBanned(serverId, userId, decidedAt)) return null;
      if (sql.decide.run({ id, ...decision }).changes === 0) return null;
      const added = status === "approved" && steps.roleOf(serverId, userId) === null;
      const member = {
        serverId,
        userId,
        username,
        displayName,
        role: "member",
        joinedAt: decidedAt,
      } as const;
      if (added) steps.enter(member, points);
      return { added };
    }),
  };
}
