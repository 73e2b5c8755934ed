import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { StartError } from "../errors/start-error.ts";
import { recordedLog } from "../testing/doubles.ts";
import type { Migration } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";
import type { Sqlite } from "./sqlite.ts";
import { isUniqueViolation, storeCall } from "./store-call.ts";
import { transaction } from "./transaction.ts";

const first: Migration = {
  number: 1,
  name: "people",
  sql: "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
};
const second: Migration = {
  number: 2,
  name: "pets",
  sql: `CREATE TABLE pets (owner TEXT NOT NULL REFERENCES people (id)) STRICT;
        INSERT INTO people VALUES ('0', 'nobody')`,
};

describe("a SQLite database", () => {
  let folder: string;
  let file: string;
  const opened: { close(): void }[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "hearth-sqlite-"));
    file = path.join(folder, "made", "data.db");
  });
  afterEach(() => {
    for (const db of opened.splice(0)) db.close();
    rmSync(folder, { recursive: true });
  });

  const open = (migrations: readonly Migration[] = [first], options = {}): Sqlite => {
    const db = openSqlite(file, migrations, options);
    opened.push(db);
    return db;
  };
  /** Another process's handle, as far as SQLite is concerned. */
  const stranger = (): DatabaseSync => {
    const database = new DatabaseSync(file, { timeout: 0 });
    opened.push({ close: () => database.isOpen && database.close() });
    return database;
  };
  const names = (db: Sqlite) =>
    db
      .statement("SELECT name FROM people ORDER BY name")
      .all()
      .map(({ name }) => name);
  const insert = (db: Sqlite, id: string, name = id) =>
    db.statement("INSERT INTO people VALUES (?, ?)").run(id, name);
  const pragma = (db: Sqlite, name: string) => Object.values(db.statement(`PRAGMA ${name}`).get() ?? {})[0];

  it("is durable, checks foreign keys and waits for locks", () => {
    const db = open([first, second]);
    expect(pragma(db, "journal_mode")).toBe("wal");
    expect(pragma(db, "synchronous")).toBe(2);
    expect(pragma(db, "foreign_keys")).toBe(1);
    expect(pragma(db, "busy_timeout")).toBe(5_000);
    expect(() => db.statement("INSERT INTO pets VALUES ('nobody else')").run()).toThrow("FOREIGN KEY");
  });

  it("is readable by its owner only, side files included", () => {
    insert(open(), "a");
    const mode = (name: string) => (statSync(name).mode & 0o777).toString(8);
    expect(mode(path.dirname(file))).toBe("700");
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual(["600", "600", "600"]);
  });

  it("prepares each statement once, and closes twice without harm", () => {
    const db = open();
    expect(db.statement("SELECT 1")).toBe(db.statement("SELECT 1"));
    db.close();
    db.close();
  });

  describe("its migrations", () => {
    it("are applied once each, to a database of any age", () => {
      const old = open([first]);
      insert(old, "a", "ann");
      old.close();
      open([first, second]).close();
      expect(names(open([first, second]))).toEqual(["ann", "nobody"]);
    });

    it("leave nothing behind when one fails, and succeed once it is fixed", () => {
      const broken = { ...second, sql: "CREATE TABLE pets (owner TEXT); INSERT INTO nowhere VALUES (1)" };
      expect(() => open([first, broken])).toThrow(StartError);
      const db = open([first, second]);
      expect(pragma(db, "user_version")).toBe(2);
    });

    it("refuse a database that a newer version has used", () => {
      open([first, second]).close();
      expect(() => open([first])).toThrow(/schema 2.*knows 1.*newer version/);
    });

    it("must be numbered without gaps", () => {
      expect(() => open([second])).toThrow(StartError);
    });

    it("are applied once when two processes start together", () => {
      open([first]).close();
      const other = stranger();
      other.exec(`BEGIN IMMEDIATE; ${second.sql}; PRAGMA user_version = 2; COMMIT`);
      expect(names(open([first, second]))).toEqual(["nobody"]);
    });
  });

  it.each([
    ["is not a database", () => writeFileSync(path.join(folder, "bad.db"), "x".repeat(8192)), "bad.db"],
    ["lies where a folder is", () => undefined, ""],
  ])("that %s is refused with a clear error", (_name, prepare, name) => {
    prepare();
    const open = () => openSqlite(path.join(folder, name), [first]);
    expect(open).toThrow(StartError);
    expect(open).toThrow(/cannot be opened/);
  });

  describe("a transaction", () => {
    it("keeps all or nothing", () => {
      const db = open();
      transaction(db, () => insert(db, "a"));
      const attempt = () =>
        transaction(db, () => {
          insert(db, "b");
          throw new Error("changed my mind");
        });
      expect(attempt).toThrow("changed my mind");
      expect(names(db)).toEqual(["a"]);
      expect(transaction(db, () => names(db).length)).toBe(1);
    });

    it("is neither nested nor asynchronous", () => {
      const db = open();
      expect(() => transaction(db, () => transaction(db, () => 1))).toThrow("already under way");
      const asynchronous = (async () => void insert(db, "a")) as unknown as () => void;
      expect(() => transaction(db, asynchronous)).toThrow("must not await");
      expect(names(db)).toEqual([]);
      // @ts-expect-error -- a promise is refused by type as well
      const byType = () => transaction(db, async () => 1);
      expect(byType).toThrow("must not await");
    });
  });

  describe("a store's call", () => {
    it("returns its result", async () => {
      const db = open();
      await expect(storeCall(db, () => names(db))).resolves.toEqual([]);
    });

    it("ER6 is UNAVAILABLE while another process holds the lock, is logged, and succeeds afterwards", async () => {
      const { log, records } = recordedLog();
      const db = open([first], { log, busyTimeoutMs: 5 });
      const other = stranger();
      other.exec("BEGIN IMMEDIATE");
      const write = () => storeCall(db, () => transaction(db, () => insert(db, "a")));
      await expect(write()).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
      expect(records()).toEqual([
        expect.objectContaining({ reason: "BUSY", msg: "the database cannot serve" }),
      ]);
      other.exec("COMMIT");
      await write();
      expect(names(db)).toEqual(["a"]);
    });

    it("ER6 is UNAVAILABLE when the disk is full or the file read-only", async () => {
      const db = open();
      const pages = Number(pragma(db, "page_count"));
      db.database.exec(`PRAGMA max_page_count = ${pages}`);
      const fill = () => insert(db, "big", "x".repeat(100_000));
      await expect(storeCall(db, fill)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      db.database.exec("PRAGMA query_only = ON");
      await expect(storeCall(db, () => insert(db, "b"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await expect(storeCall(db, () => names(db))).resolves.toEqual([]);
    });

    it("is UNAVAILABLE once the database is closed", async () => {
      const db = open();
      db.close();
      await expect(storeCall(db, () => names(db))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });

    it("lets a unique violation be recognised, and any other error through", async () => {
      const db = open();
      insert(db, "a", "ann");
      const errorOf = (sql: string): Promise<unknown> =>
        storeCall(db, () => db.statement(sql).run()).catch((error: unknown) => error);
      expect(isUniqueViolation(await errorOf("INSERT INTO people VALUES ('b', 'ann')"))).toBe(true);
      expect(isUniqueViolation(await errorOf("INSERT INTO people VALUES ('a', 'bob')"))).toBe(true);
      const notNull = await errorOf("INSERT INTO people VALUES ('c', NULL)");
      expect(isUniqueViolation(notNull)).toBe(false);
      expect(String(notNull)).toContain("NOT NULL");
      expect(isUniqueViolation(new Error("UNIQUE"))).toBe(false);
    });
  });
});
