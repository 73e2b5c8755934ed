import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import { errorCode } from "../errors/error-code.ts";
import { silentLog } from "../log/log.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../errors/start-error.ts";
import { migrate } from "./migrations.ts";
import type { Migration } from "./migrations.ts";

export interface SqliteOptions {
  readonly log?: Log;
  /** How long a statement blocks the process to wait for another process's lock; default 5,000. */
  readonly busyTimeoutMs?: number;
}

const MAX_STATEMENTS = 500;

/** A SQLite database. A write that has returned survives a crash and a loss of power (WAL, `synchronous=FULL`). */
export class Sqlite {
  readonly database: DatabaseSync;
  readonly log: Log;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, log: Log) {
    this.database = database;
    this.log = log;
  }

  /** The prepared statement of this text, made once. Values are parameters, never part of the text. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Closing twice is harmless. */
  close(): void {
    this.#statements.clear();
    if (this.database.isOpen) this.database.close();
  }
}

/** Other users of the machine must not read it. SQLite gives its side files the mode of the main file. */
function prepareFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/**
 * Opens the database, creates it if necessary and migrates its schema. Throws a `StartError` when the file cannot be used
 * or was written by a newer version.
 */
export function openSqlite(
  file: string,
  migrations: readonly Migration[],
  { log = silentLog, busyTimeoutMs = 5_000 }: SqliteOptions = {},
): Sqlite {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ":memory:") prepareFile(file);
    database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    migrate(database, migrations, file);
    return new Sqlite(database, log);
  } catch (error) {
    database?.close();
    if (error instanceof StartError) throw error;
    const { errstr } = error as { readonly errstr?: unknown };
    const why = typeof errstr === "string" ? errstr : (errorCode(error) ?? "unknown error");
    throw new StartError(`The database ${file} cannot be opened (${why})`, { cause: error });
  }
}
