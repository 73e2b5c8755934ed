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
  /** How long a call waits, blocking the process, for another process's lock. */
  readonly busyTimeoutMs?: number;
}

/** The device's store as the app holds it. */
export interface DeviceStore {
  readonly writer: DeviceWriter;
  readonly reader: DeviceReader;
  /** All of it as the client in the window is given it. */
  readonly client: ClientStore;
  /** Closing twice is harmless; afterwards every call rejects with `UNAVAILABLE`. */
  readonly close: () => void;
}

/** Opens the store, makes it if need be and brings its schema up to date; throws a `StartError` when that fails. */
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
 * Opens the store for reading alone: SQLite itself refuses every write on this handle (LA1). While the file is not
 * there, or is being made, it answers as a device that knows nothing, and looks again at every call. Throws a
 * `StartError` for a file of another version, whose schema it neither knows nor may change, or that is no database.
 */
export function openDeviceReader({ file, log, busyTimeoutMs = 1_000 }: OpenDeviceReaderOptions): {
  readonly reader: DeviceReader;
  readonly close: () => void;
} {
  const device = new ReadOnlyDevice({ file, log, busyTimeoutMs });
  device.open();
  return { reader: forwardingReader(() => device.reader()), close: () => device.close() };
}
