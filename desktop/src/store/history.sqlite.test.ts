import { silentLog } from "@hearth/runtime";
import { describeHistoryContract } from "./history.contract.ts";
import { openDeviceStore } from "./open.ts";

describeHistoryContract("SQLite", async (clock) =>
  openDeviceStore({ file: ":memory:", log: silentLog, clock }),
);
