import { columnsOf, pickFields } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import { z } from "zod";
import { LISTED, SERVER, descending, listedOf, serverOf } from "./rows.sqlite.ts";
import type { ListedRow, ServerRow } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import { editedServer, serverRecord } from "../../domain/records.ts";
import type { ListedServer, ServerRecord } from "../../domain/records.ts";
import type { ServerStore } from "../../domain/store.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  insert: prepare(`INSERT INTO servers ${columnsOf(serverRecord.extend({ heat: z.number() })).insert}`),
  find: prepare(`SELECT ${SERVER} FROM servers s WHERE s.id = ?`),
  findMany: prepare(`SELECT ${LISTED} FROM servers s WHERE s.id IN (SELECT value FROM json_each(?))`),
  update: prepare(`
    UPDATE servers SET ${columnsOf(editedServer).assign}
    WHERE id = :id AND version = :version - 1`),
  remove: prepare("DELETE FROM servers WHERE id = ?"),
  deleteMemberInvites: prepare(`
    DELETE FROM invites
    WHERE server_id = :id AND created_by NOT IN (
      SELECT user_id FROM members WHERE server_id = :id AND role <> 'member')`),
  search: prepare(`SELECT ${LISTED} FROM servers s WHERE instr(lower(s.name), lower(?)) > 0 LIMIT ?`),
  untag: prepare("DELETE FROM public_tags WHERE server_id = ?"),
  tag: prepare("INSERT INTO public_tags (tag, created_at, server_id) VALUES (?, ?, ?)"),
  setOwner: prepare(`
    UPDATE servers SET owner_id = ?, updated_at = ?, version = version + 1 WHERE id = ?`),
  setRole: prepare("UPDATE members SET role = ? WHERE user_id = ? AND server_id = ?"),
  newest: prepare(`
    SELECT ${LISTED} FROM servers s
    WHERE s.visibility = 'public' AND (s.created_at, s.id) < (?, ?)
    ORDER BY s.created_at DESC, s.id DESC LIMIT ?`),
  newestOfTag: prepare(`
    SELECT ${LISTED} FROM public_tags t JOIN servers s ON s.id = t.server_id
    WHERE t.tag = ? AND (t.created_at, t.server_id) < (?, ?)
    ORDER BY t.created_at DESC, t.server_id DESC LIMIT ?`),
  hottest: prepare(`
    SELECT ${LISTED}, s.heat FROM servers s
    WHERE s.visibility = 'public' AND (s.heat, s.id) < (?, ?)
    ORDER BY s.heat DESC, s.id DESC LIMIT ?`),
});

type Statements = ReturnType<typeof prepared>;

const serversOf = (rows: unknown): ListedServer[] => (rows as ListedRow[]).map(listedOf);

function find(sql: Statements, id: string): ServerRecord | null {
  const row = sql.find.get(id) as unknown as ServerRow | undefined;
  return row ? serverOf(row) : null;
}

function replaceTags(sql: Statements, { id, tags, visibility, createdAt }: ServerRecord): void {
  sql.untag.run(id);
  if (visibility !== "public") return;
  for (const tag of tags) sql.tag.run(tag, createdAt, id);
}

const rowOf = (server: ServerRecord) => ({
  ...pickFields(editedServer, server),
  id: server.id,
  tags: JSON.stringify(server.tags),
  channels: JSON.stringify(server.channels),
});

export function sqliteServers(db: SqliteCalls, steps: Steps): ServerStore {
  const sql = prepared(db);
  return {
    create: db.transaction((server, owner, heat, quota) => {
      const { ownerId, createdAt } = server;
      steps.requireServerQuota(ownerId, quota);
      sql.insert.run({ ...rowOf(server), ownerId, memberCount: 0, createdAt, heat });
      steps.insertMember(owner, 0);
      replaceTags(sql, server);
    }),
    find: db.query((id) => find(sql, id)),
    findMany: db.query((ids) => serversOf(sql.findMany.all(JSON.stringify(ids)))),
    update: db.transaction((authority, next) => {
      if (!steps.hasRole(authority) || sql.update.run(rowOf(next)).changes === 0) return false;
      replaceTags(sql, next);
      if (next.visibility === "private") sql.deleteMemberInvites.run({ id: next.id });
      return true;
    }),
    remove: db.transaction((authority, ending) => {
      if (authority !== null && !steps.hasRole(authority)) return false;
      if (sql.remove.run(ending.serverId).changes === 0) return false;
      steps.storeEnding(ending);
      return true;
    }),
    transfer: db.transaction((authority, to, at, quota) => {
      if (!steps.hasRole(authority) || !steps.hasRole(to)) return null;
      if (quota !== null) steps.requireServerQuota(to.userId, quota);
      sql.setRole.run("moderator", authority.userId, authority.serverId);
      sql.setRole.run("owner", to.userId, to.serverId);
      sql.setOwner.run(to.userId, at, to.serverId);
      return find(sql, to.serverId);
    }),
    ownedBy: db.query((userId) => steps.ownedBy(userId)),
    search: db.query((text, limit) => serversOf(sql.search.all(text, limit))),
    listPublic: db.query((slice, tag) => {
      const position = descending(slice);
      return serversOf(
        tag === undefined ? sql.newest.all(...position) : sql.newestOfTag.all(tag, ...position),
      );
    }),
    listTrending: db.query((slice) => {
      const rows = sql.hottest.all(...descending(slice)) as unknown as (ListedRow & { heat: number })[];
      return rows.map((row) => ({ server: listedOf(row), heat: row.heat }));
    }),
    addHeat: db.transaction((items, at) => {
      for (const { serverId, points } of items) steps.addHeat(serverId, points, at);
    }),
  };
}
