import { columnsOf } from "@hearth/runtime";
import type { SqliteCalls } from "@hearth/runtime";
import type { Steps } from "./steps.sqlite.ts";
import { pluginRecord } from "../../domain/records.ts";
import type { PluginRecord } from "../../domain/records.ts";
import type { PluginStore } from "../../domain/store.ts";

const columns = columnsOf(pluginRecord);
const PLUGIN = columns.select();

const prepared = ({ prepare }: SqliteCalls) => ({
  find: prepare(`SELECT ${PLUGIN} FROM plugins WHERE server_id = ? AND plugin_id = ?`),
  list: prepare(`SELECT ${PLUGIN} FROM plugins WHERE server_id = ? ORDER BY plugin_id`),
  put: prepare(`INSERT OR REPLACE INTO plugins ${columns.insert}`),
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
      if (!steps.hasRole(authority)) return false;
      if (find(serverId, pluginId)?.revision !== before?.revision) return false;
      sql.put.run({ ...plugin, config: config === null ? null : JSON.stringify(config) });
      return true;
    }),
    remove: db.transaction(
      ({ serverId, pluginId, revision }, authority) =>
        steps.hasRole(authority) && sql.remove.run(serverId, pluginId, revision).changes === 1,
    ),
  };
}
