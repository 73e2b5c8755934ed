import { openSqlite, systemClock } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";
import { sqliteDeviceReader, sqliteDeviceWriter } from "./device-store.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { sqliteEraser } from "./database/erasing.sqlite.ts";
import { sqliteHistoryReader } from "./history.sqlite.ts";
import type { ClientStore } from "../history.ts";
import { migrations } from "./database/migrations.sqlite.ts";
import { forwardingReader } from "../forwarding-reader.ts";
import { ReadOnlyDevice } from "./read-only.sqlite.ts";

export interface OpenDeviceStoreOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** How long a call blocks while another process holds the lock. */
  readonly busyTimeoutMs?: number;
}

/** The device's store for the app. */
export interface DeviceStore {
  readonly writer: DeviceWriter;
  readonly reader: DeviceReader;
  /** The whole store for the client in the window. */
  readonly client: ClientStore;
  /** May be called twice. Afterwards every call rejects with `UNAVAILABLE`. */
  readonly close: () => void;
}

/** Opens the store, creates it if needed and upgrades its schema. Throws a `StartError` if that fails. */
export function openDeviceStore({
  file,
  log,
  clock = systemClock,
  busyTimeoutMs = 5_000,
}: OpenDeviceStoreOptions): DeviceStore {
  const db = openSqlite(file, migrations, { log, busyTimeoutMs });
  const writer = sqliteDeviceWriter(db, clock);
  const reader = sqliteDeviceReader(db);
  const client = { ...reader, ...writer, ...sqliteHistoryReader(db), eraseAll: sqliteEraser(db) };
  return { writer, reader, client, close: () => db.close() };
}

export type OpenDeviceReaderOptions = Omit<OpenDeviceStoreOptions, "clock">;

/**
 * Opens the store read-only: SQLite itself refuses every write on this handle (LA1). While the file is missing or
 * being created, the store counts as empty and every call looks again. Throws a `StartError` for a file of another
 * version, or one that is no database.
 */
export function openDeviceReader({ file, log, busyTimeoutMs = 1_000 }: OpenDeviceReaderOptions): {
  readonly reader: DeviceReader;
  readonly close: () => void;
} {
  const device = new ReadOnlyDevice({ file, log, busyTimeoutMs });
  device.open();
  return { reader: forwardingReader(() => device.reader()), close: () => device.close() };
}
