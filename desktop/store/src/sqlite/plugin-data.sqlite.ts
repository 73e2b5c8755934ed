import { ProblemError } from "@hearth/contracts";
import type { PluginDatum } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { storedJson } from "../stored-json.ts";

type Key = Omit<PluginDatum, "value">;

/** A value of the scope `local` belongs to no server, one of the scope `server` to exactly one. */
const isMisplaced = ({ scope, serverId }: Key): boolean => (scope === "server") !== Boolean(serverId);

const keyOf = ({ pluginId, key, scope, serverId }: Key) => ({
  pluginId,
  key,
  scope,
  serverId: serverId ?? "",
});

const WHERE = "plugin_id = :pluginId AND key = :key AND scope = :scope AND server_id = :serverId";

export function pluginDataWriter({
  prepare,
  transaction,
}: WriterCalls): Pick<DeviceWriter, "savePluginData" | "removePluginDatum"> {
  const put = prepare(`
    INSERT OR REPLACE INTO plugin_data (plugin_id, key, scope, server_id, value)
    VALUES (:pluginId, :key, :scope, :serverId, :value)`);
  const remove = prepare(`DELETE FROM plugin_data WHERE ${WHERE}`);
  return {
    savePluginData: transaction((data) => {
      for (const datum of data) {
        const value = storedJson(datum.value);
        if (isMisplaced(datum) || value === undefined) throw new ProblemError("INVALID_REQUEST");
        put.run({ ...keyOf(datum), value });
      }
    }),
    removePluginDatum: transaction((datum) => void remove.run(keyOf(datum))),
  };
}

export function pluginDataReader({ prepare, query }: DeviceCalls): Pick<DeviceReader, "pluginDatum"> {
  const find = prepare(`SELECT value FROM plugin_data WHERE ${WHERE}`);
  return {
    pluginDatum: query((datum) => {
      const row = find.get(keyOf(datum)) as { readonly value: string } | undefined;
      return row && { value: JSON.parse(row.value) as unknown };
    }),
  };
}
