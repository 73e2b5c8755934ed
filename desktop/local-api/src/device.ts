import type { Log } from "@hearth/runtime";
import { dataFolder } from "./data-folder.ts";
import { createDeviceApi } from "./device-api.ts";
import { createLocalApiService } from "./server/local-api-service.ts";
import type { LocalApiService } from "./server/local-api-service.ts";
import { createSettingsFile } from "./settings/settings-file.ts";
import { openDeviceStore } from "@hearth/store/sqlite";
import type { DeviceStore } from "@hearth/store/sqlite";

export interface DeviceOptions {
  readonly directory: string;
  /** The build's output folder. */
  readonly built: string;
  readonly version: string;
  readonly log: Log;
}

/** The data folder and the local API, which reads the database through its own handle (LA1). */
export interface Device {
  readonly store: DeviceStore;
  readonly localApi: LocalApiService;
  close(): void;
}

/** Throws a `StartError` if the device's database cannot be used. */
export function openDevice({ directory, built, version, log }: DeviceOptions): Device {
  const folder = dataFolder(directory);
  const store = openDeviceStore({ file: folder.database, log });
  const { server, close } = createDeviceApi({
    database: folder.database,
    built,
    version,
    settings: () => localApi.view().settings,
    log,
  });
  const settings = createSettingsFile({ file: folder.settings, log });
  const localApi = createLocalApiService({ settings, server, log });
  return {
    store,
    localApi,
    close() {
      close();
      store.close();
    },
  };
}
