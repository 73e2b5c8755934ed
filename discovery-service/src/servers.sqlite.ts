import type { SqliteCalls } from "@hearth/runtime";
import { SERVER, descending, serverOf } from "./rows.sqlite.ts";
import type { ServerRow } from "./rows.sqlite.ts";
import type { Steps } from "./steps.sqlite.ts";
import type { ServerRecord, ServerStore } from "./store.ts";

const prepared = ({ prepare }: SqliteCalls) => ({
  insert: prepare(`
    INSERT INTO servers (id, name, description, icon_hash, tags, visibility, owner_id, member_count, channels,
      created_at, updated_at, version, heat)
    VALUES (:id, :name, :description, :iconHash, :tags, :visibility, :ownerId, 0, :channels,
      :createdAt, :updatedAt, :version, :heat)`),
  find: prepare(`SELECT ${SERVER} FROM servers s WHERE s.id = ?`),
  findMany: prepare(`SELECT ${SERVER} FROM servers s WHERE s.id IN (SELECT value FROM json_each(?))`),
  update: prepare(`
    UPDATE servers SET name = :name, description = :description, icon_hash = :iconHash, tags = :tags,
      visibility = :visibility, channels = :channels, updated_at = :updatedAt, version = :version
    WHERE id = :id AND version = :version - 1`),
  remove: prepare("DELETE FROM servers WHERE id = ?"),
  untag: prepare("DELETE FROM public_tags WHERE server_id = ?"),
  tag: prepare("INSERT INTO public_tags (tag, created_at, server_id) VALUES (?, ?, ?)"),
  setOwner: prepare(`
    UPDATE servers SET owner_id = ?, updated_at = ?, version = version + 1 WHERE id = ?`),
  setRole: prepare("UPDATE members SET role = ? WHERE user_id = ? AND server_id = ?"),
  newest: prepare(`
    SELECT ${SERVER} FROM servers s
    WHERE s.visibility = 'public' AND (s.created_at, s.id) < (?, ?)
    ORDER BY s.created_at DESC, s.id DESC LIMIT ?`),
  newestOfTag: prepare(`
    SELECT ${SERVER} FROM public_tags t JOIN servers s ON s.id = t.server_id
    WHERE t.tag = ? AND (t.created_at, t.server_id) < (?, ?)
    ORDER BY t.created_at DESC, t.server_id DESC LIMIT ?`),
  hottest: prepare(`
    SELECT ${SERVER}, s.heat FROM servers s
    WHERE s.visibility = 'public' AND (s.heat, s.id) < (?, ?)
    ORDER BY s.heat DESC, s.id DESC LIMIT ?`),
});

type Statements = ReturnType<typeof prepared>;

const serversOf = (rows: unknown): ServerRecord[] => (rows as ServerRow[]).map(serverOf);

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
    create: db.transaction((server, owner, heat) => {
      const { ownerId, createdAt } = server;
      sql.insert.run({ ...columns(server), ownerId, createdAt, heat });
      steps.enter(owner, 0);
      tagAnew(sql, server);
    }),
    find: db.query((id) => find(sql, id)),
    findMany: db.query((ids) => serversOf(sql.findMany.all(JSON.stringify(ids)))),
    update: db.transaction((authority, next) => {
      if (!steps.holds(authority) || sql.update.run(columns(next)).changes === 0) return false;
      tagAnew(sql, next);
      return true;
    }),
    remove: db.transaction((authority, ending) => {
      if (!steps.holds(authority)) return false;
      sql.remove.run(authority.serverId);
      steps.keepEnding(ending);
      return true;
    }),
    transfer: db.transaction((authority, to, at) => {
      if (!steps.holds(authority) || !steps.holds(to)) return null;
      sql.setRole.run("moderator", authority.userId, authority.serverId);
      sql.setRole.run("owner", to.userId, to.serverId);
      sql.setOwner.run(to.userId, at, to.serverId);
      return find(sql, to.serverId);
    }),
    listPublic: db.query((slice, tag) => {
      const place = descending(slice);
      return serversOf(tag === undefined ? sql.newest.all(...place) : sql.newestOfTag.all(tag, ...place));
    }),
    listTrending: db.query((slice) => {
      const rows = sql.hottest.all(...descending(slice)) as unknown as (ServerRow & { heat: number })[];
      return rows.map((row) => ({ server: serverOf(row), heat: row.heat }));
    }),
    heat: db.transaction((items, at) => {
      for (const { serverId, points } of items) steps.warm(serverId, points, at);
    }),
  };
}
