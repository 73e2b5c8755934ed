import type { SqliteCalls } from "@hearth/runtime";
import type { Steps } from "./steps.sqlite.ts";
import type { PluginRecord, PluginStore } from "../../domain/store.ts";

const PLUGIN = `server_id AS serverId, plugin_id AS pluginId, version, required, config, updated_at AS updatedAt,
  updated_by AS updatedBy, revision`;

const prepared = ({ prepare }: SqliteCalls) => ({
  find: prepare(`SELECT ${PLUGIN} FROM plugins WHERE server_id = ? AND plugin_id = ?`),
  list: prepare(`SELECT ${PLUGIN} FROM plugins WHERE server_id = ? ORDER BY plugin_id`),
  put: prepare(`
    INSERT OR REPLACE INTO plugins (server_id, plugin_id, version, required, config, updated_at, updated_by, revision)
    VALUES (:serverId, :pluginId, :version, :required, :config, :updatedAt, :updatedBy, :revision)`),
  remove: prepare("DELETE FROM plugins WHERE server_id = ? AND plugin_id = ? AND revision = ?"),
});

type PluginRow = Omit<PluginRecord, "config"> & { readonly config: string | null };

const pluginOf = (row: PluginRow): PluginRecord => ({
  ...row,
  config: row.config === null ? null : (JSON.parse(row.config) as Record<string, unknown>),
});

export function sqlitePlugins(db: SqliteCalls, steps: Steps): PluginStore {
  const sql = prepared(db);
  const find = (serverId: string, pluginId: string): PluginRecord | null => {
    const row = sql.find.get(serverId, pluginId) as unknown as PluginRow | undefined;
    return row ? pluginOf(row) : null;
  };
  return {
    find: db.query(find),
    list: db.query((serverId) => (sql.list.all(serverId) as unknown as PluginRow[]).map(pluginOf)),
    put: db.transaction((plugin, before, authority) => {
      const { serverId, pluginId, config } = plugin;
      if (!steps.holds(authority)) return false;
      if (find(serverId, pluginId)?.revision !== before?.revision) return false;
      sql.put.run({ ...plugin, config: config === null ? null : JSON.stringify(config) });
      return true;
    }),
    remove: db.transaction(
      ({ serverId, pluginId, revision }, authority) =>
        steps.holds(authority) && sql.remove.run(serverId, pluginId, revision).changes === 1,
    ),
  };
}
