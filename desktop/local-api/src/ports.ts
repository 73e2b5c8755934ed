import type { Clock } from "@hearth/runtime";
import type { LocalAccess } from "./access/local-access.ts";
import type { LocalApiSettings } from "@hearth/device";
import type { DeviceReader } from "@hearth/store";

/** The OpenAPI document as served. */
export interface ServedDocument {
  readonly text: string;
  readonly etag: string;
}

/** What the controllers depend on. */
export interface LocalApiPorts {
  readonly reader: DeviceReader;
  readonly access: LocalAccess;
  readonly settings: () => LocalApiSettings;
  /** Of the application. */
  readonly version: string;
  readonly clock: Clock;
  readonly document: ServedDocument;
}
