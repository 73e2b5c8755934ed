export { dataFolder } from "./data-folder.ts";
export type { DataFolder } from "./data-folder.ts";
export { createDeviceApi } from "./device-api.ts";
export type { DeviceApi } from "./device-api.ts";
export { openDevice } from "./device.ts";
export { replaceFile } from "./settings/replace-file.ts";
export { createSettingsFile } from "./settings/settings-file.ts";
