import { wrap } from "idb";
import { storageFailure } from "./failures.indexeddb.ts";
import type { Database, Migration, UpgradeTransaction } from "./schema.indexeddb.ts";

export interface DatabasePlace {
  readonly name: string;
  readonly migrations: readonly Migration[];
  /** The browser's own unless named. */
  readonly factory?: IDBFactory | undefined;
  /** How long a call waits for the database to open, as another tab may stand in its way. */
  readonly patienceMs?: number | undefined;
}

const PATIENCE_MS = 5_000;

/**
 * One connection to the database, opened when somebody needs it. It never stands in the way of another tab that brings
 * a newer version or deletes the database: it closes, and the next call opens it again.
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

  /** A connection that turned out to be of no use. */
  leave(database: Database): void {
    database.close();
    if (this.#database === database) this.#database = undefined;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#database) this.leave(this.#database);
  }

  /**
   * The answer to whoever waits. An attempt that outlasts their patience goes on and stays the only one, as the
   * browser would let another wait behind it; until it ends, nobody else waits for it.
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
      // What fails in it ends the transaction, and with it the opening.
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

  /** From an older version, 0 for a new database, within the transaction of its opening. */
  async #migrate(database: Database, transaction: UpgradeTransaction, from: number): Promise<void> {
    for (const { number, apply } of this.#migrations) if (number > from) await apply(database, transaction);
  }
}
