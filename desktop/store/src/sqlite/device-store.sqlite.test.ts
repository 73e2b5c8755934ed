import { silentLog } from "@hearth/runtime";
import { describeDeviceStoreContract } from "../contract/device-store.contract.ts";
import { openDeviceStore } from "./open.ts";

describeDeviceStoreContract("SQLite", async (clock) =>
  openDeviceStore({ file: ":memory:", log: silentLog, clock }),
);
