import { wrap } from "idb";
import { storageFailure } from "./failures.indexeddb.ts";
import type { Database, Migration, UpgradeTransaction } from "./schema.indexeddb.ts";

export interface DatabasePlace {
  readonly name: string;
  readonly migrations: readonly Migration[];
  /** The browser's own by default. */
  readonly factory?: IDBFactory | undefined;
  /** How long a call waits until the database is open, because another tab may block it. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 5_000;

/**
 * One connection, opened on demand. It never blocks a tab that upgrades or deletes the database: it closes, and the
 * next call opens it again.
 */
export class LazyDatabase {
  readonly #name: string;
  readonly #migrations: readonly Migration[];
  readonly #factory: IDBFactory | undefined;
  readonly #patienceMs: number;
  #database: Database | undefined;
  #opening: Promise<Database> | undefined;
  #isBlocked = false;
  #isClosed = false;

  constructor({ name, migrations, factory, patienceMs = PATIENCE_MS }: DatabasePlace) {
    this.#name = name;
    this.#migrations = migrations;
    this.#factory = factory;
    this.#patienceMs = patienceMs;
  }

  async current(): Promise<Database> {
    if (this.#isClosed) throw storageFailure("The storage was closed", undefined, false);
    return this.#database ?? (this.#opening ??= this.#open());
  }

  /** A connection that turned out to be unusable. */
  leave(database: Database): void {
    database.close();
    if (this.#database === database) this.#database = undefined;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#database) this.leave(this.#database);
  }

  /**
   * The result for waiting calls. An attempt that times out continues and stays the only one, because the browser
   * would queue another one behind it. Until it ends, nobody else waits for it.
   */
  #open(): Promise<Database> {
    this.#isBlocked = false;
    const attempt = this.#request().finally(() => {
      this.#opening = undefined;
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          storageFailure(
            this.#isBlocked
              ? "Another tab holds an older version of the storage; close or reload it"
              : "This browser's storage does not answer",
          ),
        );
      }, this.#patienceMs);
      attempt.then(resolve, reject).finally(() => {
        clearTimeout(timer);
      });
    });
  }

  async #request(): Promise<Database> {
    const version = Math.max(...this.#migrations.map(({ number }) => number));
    const request = (this.#factory ?? indexedDB).open(this.#name, version);
    request.addEventListener("upgradeneeded", ({ oldVersion }) => {
      const { result, transaction } = request;
      if (transaction === null) return;
      const upgrade = wrap(transaction) as unknown as UpgradeTransaction;
      // An error here aborts the transaction and with it the opening.
      this.#migrate(wrap(result) as unknown as Database, upgrade, oldVersion).catch(() => upgrade.abort());
    });
    request.addEventListener("blocked", () => {
      this.#isBlocked = true;
    });
    const database = (await wrap(request)) as unknown as Database;
    if (this.#isClosed) {
      database.close();
      throw storageFailure("The storage was closed", undefined, false);
    }
    this.#database = database;
    const leave = (): void => {
      this.leave(database);
    };
    database.addEventListener("versionchange", leave);
    database.addEventListener("close", leave);
    return database;
  }

  /** Upgrades from an older version (0 for a new database) within the opening transaction. */
  async #migrate(database: Database, transaction: UpgradeTransaction, from: number): Promise<void> {
    for (const { number, apply } of this.#migrations) if (number > from) await apply(database, transaction);
  }
}
