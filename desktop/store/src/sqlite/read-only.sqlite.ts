import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { ProblemError } from "@hearth/contracts";
import { Sqlite, StartError, openSqlite } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { sqliteDeviceReader } from "./device-store.sqlite.ts";
import type { DeviceReader } from "../device-store.ts";
import { migrations } from "./database/migrations.sqlite.ts";

export interface ReadOnlyOptions {
  readonly file: string;
  readonly log: Log;
  readonly busyTimeoutMs: number;
}

const schemaOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);

function refuse(file: string, schema: number): never {
  const known = migrations.length;
  throw new StartError(
    schema > known
      ? `The database ${file} has schema ${schema}, and this version knows ${known}: it was used by a newer version`
      : `The database ${file} has schema ${schema}, and this version reads ${known}: open it once with the app of this version`,
  );
}

/** Opens an existing file; `undefined` if it is missing. */
export function openExisting({ file, log, busyTimeoutMs }: ReadOnlyOptions): Sqlite | undefined {
  if (!existsSync(file)) return undefined;
  const database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  try {
    database.exec("PRAGMA query_only = ON");
    const schema = schemaOf(database);
    if (schema === migrations.length) return new Sqlite(database, log);
    // A file without a schema is being created by the app.
    if (schema !== 0) refuse(file, schema);
    database.close();
    return undefined;
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

const sqliteError = (error: unknown): { readonly errcode?: unknown; readonly errstr?: unknown } =>
  typeof error === "object" && error !== null ? error : {};

/** SQLITE_BUSY: another process has locked it exclusively. */
const isBusy = (error: unknown): boolean => (Number(sqliteError(error).errcode) & 0xff) === 5;

/** Opens the file when it exists, and retries if that failed. */
export class ReadOnlyDevice {
  readonly #options: ReadOnlyOptions;
  #opened: Sqlite | undefined;
  #reader: DeviceReader | undefined;
  #nothing: Sqlite | undefined;
  #isClosed = false;

  constructor(options: ReadOnlyOptions) {
    this.#options = options;
  }

  /** Throws a `StartError` if the file can never be read. */
  open(): void {
    const { file, log } = this.#options;
    try {
      this.#opened = openExisting(this.#options);
      if (!this.#opened) log.info({}, "the device holds no data yet");
    } catch (error) {
      if (isBusy(error)) return log.warn({ err: error }, "the database cannot serve");
      if (error instanceof StartError) throw error;
      const { errstr } = sqliteError(error);
      const why = typeof errstr === "string" ? errstr : "unknown error";
      throw new StartError(`The database ${file} cannot be opened (${why})`, { cause: error });
    }
  }

  reader(): DeviceReader {
    if (this.#isClosed) throw new ProblemError("UNAVAILABLE", "The store is closed");
    if (this.#reader) return this.#reader;
    this.#opened ??= this.#attempt();
    if (!this.#opened) return sqliteDeviceReader((this.#nothing ??= openSqlite(":memory:", migrations)));
    this.#nothing?.close();
    this.#reader = sqliteDeviceReader(this.#opened);
    return this.#reader;
  }

  close(): void {
    this.#isClosed = true;
    this.#opened?.close();
    this.#nothing?.close();
  }

  #attempt(): Sqlite | undefined {
    try {
      return openExisting(this.#options);
    } catch (error) {
      this.#options.log.error({ err: error }, "the database cannot serve");
      throw new ProblemError("UNAVAILABLE");
    }
  }
}
