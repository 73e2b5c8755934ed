import { pluginKeySchema } from "@hearth/device";
import { z } from "zod";
import type { PluginDatum } from "@hearth/device";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { storedDatumSchema } from "./database/records.indexeddb.ts";

type Place = Omit<PluginDatum, "value">;

const keyOf = ({ pluginId, key, scope, serverId }: Place): [string, string, string, string] => [
  pluginId.toWellFormed(),
  key.toWellFormed(),
  scope,
  serverId?.toWellFormed() ?? "",
];

type PluginDataWriter = Pick<DeviceWriter, "savePluginData" | "removePluginDatum">;

export const pluginDataWriter = ({ write }: StoreCalls): PluginDataWriter => ({
  savePluginData: write(["pluginData"], z.tuple([z.array(storedDatumSchema)]), async (transaction, data) => {
    const store = transaction.objectStore("pluginData");
    await Promise.all(data.map((datum) => store.put(datum)));
  }),
  removePluginDatum: write(["pluginData"], z.tuple([pluginKeySchema]), (transaction, datum) =>
    transaction.objectStore("pluginData").delete(keyOf(datum)),
  ),
});

export const pluginDataReader = ({ read }: StoreCalls): Pick<DeviceReader, "pluginDatum"> => ({
  pluginDatum: read(["pluginData"], async (transaction, datum: Place) => {
    const found = await transaction.objectStore("pluginData").get(keyOf(datum));
    return found && { value: JSON.parse(found.value) as unknown };
  }),
});
