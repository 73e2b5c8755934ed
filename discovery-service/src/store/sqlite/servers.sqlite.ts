import type { SqliteCalls } from "@hearth/runtime";
import { LISTED, SERVER, descending, listedOf, serverOf } from "./rows.sqlite.ts";
import type { ListedRow, ServerRow } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { ListedServer, ServerRecord, ServerStore } from "../../domain/store.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  insert: prepare(`
    INSERT INTO servers (id, name, description, icon_hash, tags, visibility, owner_id, member_count, channels,
      created_at, updated_at, version, heat)
    VALUES (:id, :name, :description, :iconHash, :tags, :visibility, :ownerId, 0, :channels,
      :createdAt, :updatedAt, :version, :heat)`),
  find: prepare(`SELECT ${SERVER} FROM servers s WHERE s.id = ?`),
  findMany: prepare(`SELECT ${LISTED} FROM servers s WHERE s.id IN (SELECT value FROM json_each(?))`),
  update: prepare(`
    UPDATE servers SET name = :name, description = :description, icon_hash = :iconHash, tags = :tags,
      visibility = :visibility, channels = :channels, updated_at = :updatedAt, version = :version
    WHERE id = :id AND version = :version - 1`),
  remove: prepare("DELETE FROM servers WHERE id = ?"),
  endInvites: prepare(`
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

function tagAnew(sql: Statements, { id, tags, visibility, createdAt }: ServerRecord): void {
  sql.untag.run(id);
  if (visibility !== "public") return;
  for (const tag of tags) sql.tag.run(tag, createdAt, id);
}

const columns = (server: ServerRecord) => {
  const { id, name, description, iconHash, visibility, updatedAt, version } = server;
  const tags = JSON.stringify(server.tags);
  const channels = JSON.stringify(server.channels);
  return { id, name, description, iconHash, visibility, updatedAt, version, tags, channels };
};

export function sqliteServers(db: SqliteCalls, steps: Steps): ServerStore {
  const sql = prepared(db);
  return {
    create: db.transaction((server, owner, heat, quota) => {
      const { ownerId, createdAt } = server;
      steps.requireServerRoom(ownerId, quota);
      sql.insert.run({ ...columns(server), ownerId, createdAt, heat });
      steps.enter(owner, 0);
      tagAnew(sql, server);
    }),
    find: db.query((id) => find(sql, id)),
    findMany: db.query((ids) => serversOf(sql.findMany.all(JSON.stringify(ids)))),
    update: db.transaction((authority, next) => {
      if (!steps.holds(authority) || sql.update.run(columns(next)).changes === 0) return false;
      tagAnew(sql, next);
      if (next.visibility === "private") sql.endInvites.run({ id: next.id });
      return true;
    }),
    remove: db.transaction((authority, ending) => {
      if (authority !== null && !steps.holds(authority)) return false;
      if (sql.remove.run(ending.serverId).changes === 0) return false;
      steps.keepEnding(ending);
      return true;
    }),
    transfer: db.transaction((authority, to, at, quota) => {
      if (!steps.holds(authority) || !steps.holds(to)) return null;
      if (quota !== null) steps.requireServerRoom(to.userId, quota);
      sql.setRole.run("moderator", authority.userId, authority.serverId);
      sql.setRole.run("owner", to.userId, to.serverId);
      sql.setOwner.run(to.userId, at, to.serverId);
      return find(sql, to.serverId);
    }),
    ownedBy: db.query((userId) => steps.ownedBy(userId)),
    search: db.query((text, limit) => serversOf(sql.search.all(text, limit))),
    listPublic: db.query((slice, tag) => {
      const place = descending(slice);
      return serversOf(tag === undefined ? sql.newest.all(...place) : sql.newestOfTag.all(tag, ...place));
    }),
    listTrending: db.query((slice) => {
      const rows = sql.hottest.all(...descending(slice)) as unknown as (ListedRow & { heat: number })[];
      return rows.map((row) => ({ server: listedOf(row), heat: row.heat }));
    }),
    heat: db.transaction((items, at) => {
      for (const { serverId, points } of items) steps.warm(serverId, points, at);
    }),
  };
}
