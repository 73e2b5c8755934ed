import { afterEach, describe, expect, it } from "@jest/globals";
import { unwrap } from "idb";
import { aUser } from "../../contract/device-records.contract.ts";
import { LazyDatabase } from "./database.indexeddb.ts";
import { migrations } from "./schema.indexeddb.ts";
import type { Database, Migration } from "./schema.indexeddb.ts";
import { fakeFactory, forceClose } from "../testing/fake-indexeddb.ts";

const SHORT = 100;
const LONG = 10_000;
const failed = (message: string, retryable = true) => ({ code: "STORAGE_FAILED", message, retryable });
const BLOCKED = failed("Another tab holds an older version of the storage; close or reload it");

const later: Migration = {
  number: 3,
  apply: (database) => {
    database.deleteObjectStore("bans");
  },
};

/** Resolves when the database is open on a new connection. */
async function openedAgain(database: LazyDatabase, before?: Database): Promise<Database> {
  for (let attempt = 1; attempt < 100; attempt += 1) {
    const now = await database.current().catch(() => before);
    if (now !== undefined && now !== before) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return database.current();
}

describe("the database connection", () => {
  const opened: LazyDatabase[] = [];
  const connect = (factory: IDBFactory, wanted = migrations, patienceMs = LONG): LazyDatabase => {
    const database = new LazyDatabase({ name: "d", migrations: wanted, factory, patienceMs });
    opened.push(database);
    return database;
  };
  afterEach(() => {
    for (const database of opened.splice(0)) database.close();
  });

  /** A connection that ignores other tabs. */
  const stubborn = (factory: IDBFactory, version: number): Promise<IDBDatabase> =>
    new Promise((resolve, reject) => {
      const request = factory.open("d", version);
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onerror = () => {
        reject(request.error ?? new Error("no reason"));
      };
    });

  it("is shared by all calls, and replaced after it was lost", async () => {
    const database = connect(fakeFactory());
    const [one, two] = await Promise.all([database.current(), database.current()]);
    expect(two).toBe(one);
    database.leave(one);
    expect(await database.current()).not.toBe(one);
  });

  it("closes for a newer version, which keeps the data", async () => {
    const factory = fakeFactory();
    const older = connect(factory);
    await (await older.current()).put("friends", { userId: "a", addedAt: 1 });
    const newer = await connect(factory, [...migrations, later]).current();
    expect(newer.version).toBe(3);
    expect([...newer.objectStoreNames]).not.toContain("bans");
    expect(await newer.getAll("friends")).toEqual([{ userId: "a", addedAt: 1 }]);
    await expect(older.current()).rejects.toMatchObject({ name: "VersionError" });
  });

  it("of the first version is upgraded: users are kept by instance", async () => {
    const factory = fakeFactory();
    const older = await connect(factory, migrations.slice(0, 1)).current();
    const person = { ...aUser("ben"), signalServerUrl: "https://one.example" };
    await older.put("users", person);
    const newer = await connect(factory).current();
    await newer.put("users", { ...person, signalServerUrl: "https://other.example" });
    expect(await newer.getAll("users")).toHaveLength(2);
    expect(await newer.get("users", ["ben", "https://one.example"])).toEqual(person);
  });

  it("closes when the database is deleted, and starts empty", async () => {
    const factory = fakeFactory();
    const database = connect(factory);
    await (await database.current()).put("friends", { userId: "a", addedAt: 1 });
    await new Promise((resolve) => {
      factory.deleteDatabase("d").onsuccess = resolve;
    });
    expect(await (await database.current()).getAll("friends")).toEqual([]);
  });

  it("reopens after the browser closed it", async () => {
    const database = connect(fakeFactory());
    const first = await database.current();
    forceClose(unwrap(first));
    expect(await (await openedAgain(database, first)).getAll("friends")).toEqual([]);
  });

  it("rejects while another tab blocks it, and serves afterwards", async () => {
    const factory = fakeFactory();
    const first = connect(factory);
    await first.current();
    first.close();
    const other = await stubborn(factory, 2);
    const database = connect(factory, [...migrations, later], SHORT);
    await expect(database.current()).rejects.toMatchObject(BLOCKED);
    await expect(database.current()).rejects.toMatchObject(BLOCKED);
    other.close();
    expect((await openedAgain(database)).version).toBe(3);
  });

  it("waits for a deletion that another tab blocks, and reports that nobody answers", async () => {
    const factory = fakeFactory();
    const other = await stubborn(factory, 2);
    factory.deleteDatabase("d");
    const database = connect(factory, migrations, SHORT);
    await expect(database.current()).rejects.toMatchObject(failed("This browser's storage does not answer"));
    other.close();
    expect((await openedAgain(database)).version).toBe(2);
  });

  it("closes for good, also while it is being opened", async () => {
    const factory = fakeFactory();
    const database = connect(factory);
    const opening = database.current();
    database.close();
    const closed = failed("The storage was closed", false);
    await expect(opening).rejects.toMatchObject(closed);
    await expect(database.current()).rejects.toMatchObject(closed);
    database.close();
    expect((await connect(factory, [...migrations, later]).current()).version).toBe(3);
  });
});
