export type * from "./device/changes.ts";
export type * from "./device/records.ts";
export type * from "./store/device-store.ts";
export { openDeviceReader, openDeviceStore } from "./store/open.ts";
export type { DeviceStore, OpenDeviceReaderOptions, OpenDeviceStoreOptions } from "./store/open.ts";
