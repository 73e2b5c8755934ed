import { silentLog } from "@hearth/runtime";
import { describeHistoryContract } from "../contract/history.contract.ts";
import { openDeviceStore } from "./open.ts";

describeHistoryContract("SQLite", async (clock) => {
  const { writer, reader, client, close } = openDeviceStore({ file: ":memory:", log: silentLog, clock });
  return { writer, reader, history: client, eraseAll: () => client.eraseAll(), close };
});
