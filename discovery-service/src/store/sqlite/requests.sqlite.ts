import type { AccessRequest } from "@hearth/contracts";
import { columnsOf } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import { ascending } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import { requestRecord } from "../../domain/records.ts";
import type { RequestStore } from "../../domain/store.ts";

const columns = columnsOf(requestRecord);
export const REQUEST = columns.select();

const prepared = ({ prepare }: SqliteCalls) => ({
  create: prepare(`INSERT INTO requests ${columns.insert} ON CONFLICT DO NOTHING`),
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
      const found = steps.serverAndMember(serverId, userId);
      const mayAsk = found?.member === null && found.server.visibility === "private";
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
      if (!steps.hasRole(authority)) return null;
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
      if (added) steps.insertMember(member, points);
      return { added };
    }),
  };
}
