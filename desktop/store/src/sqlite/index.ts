export { sqliteEraser } from "./database/erasing.sqlite.ts";
export { migrations } from "./database/migrations.sqlite.ts";
export { sqliteDeviceReader, sqliteDeviceWriter } from "./device-store.sqlite.ts";
export { sqliteHistoryReader } from "./history.sqlite.ts";
export { openDeviceReader, openDeviceStore } from "./open.ts";
export type { DeviceStore } from "./open.ts";
