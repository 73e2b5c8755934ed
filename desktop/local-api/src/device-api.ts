import path from "node:path";
import { createMemoryLimiters, createMetrics, systemClock } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { createLocalAccess } from "./access/create-local-access.ts";
import { createUpstreamLogin } from "./access/upstream-login.ts";
import { createDocuments } from "./documents/create-documents.ts";
import { createLocalApi } from "./create-local-api.ts";
import { createLocalServer } from "./server/create-local-server.ts";
import type { LocalApiSettings } from "@hearth/device";
import { openDeviceReader } from "@hearth/store/sqlite";

export interface DeviceApiOptions {
  /** The device's database. */
  readonly database: string;
  /** The build's output folder with `reference` and `static-docs`. */
  readonly built: string;
  /** Of the application. */
  readonly version: string;
  /** The current settings. */
  readonly settings: () => LocalApiSettings;
  readonly log: Log;
}

/** The local API of one device, with or without a window. */
export function createDeviceApi({ database, built, version, settings, log }: DeviceApiOptions) {
  const device = openDeviceReader({ file: database, log });
  const access = createLocalAccess({
    allowedServers: () => settings().allowedSignalingServers,
    accounts: () => device.reader.credentials(),
    validate: createUpstreamLogin({ log }),
    clock: systemClock,
    limiters: createMemoryLimiters(createMetrics()),
    log,
  });
  const documents = createDocuments({
    settings,
    staticDocs: path.join(built, "static-docs"),
    reference: path.join(built, "reference"),
  });
  const shared = { reader: device.reader, access, settings, version, documents, log };
  const server = createLocalServer({
    access,
    log,
    createApi: ({ guard }) => createLocalApi({ ...shared, guard }),
  });
  return { server, access, reader: device.reader, close: () => device.close() };
}

export type DeviceApi = ReturnType<typeof createDeviceApi>;
