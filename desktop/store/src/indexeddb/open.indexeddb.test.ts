import type { NewMessage } from "@hearth/device";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { T0, aMessage, aRoom, anEdit } from "../contract/device-records.contract.ts";
import { openIndexedDbStore } from "./open.indexeddb.ts";
import type { IndexedDbStore } from "./open.indexeddb.ts";
import { fakeFactory } from "./testing/fake-indexeddb.ts";

/** A browser that forbids storage until the test allows it. */
function forbidding(): { readonly factory: IDBFactory; readonly allow: () => void } {
  const factory = fakeFactory();
  let isForbidden = true;
  const open: IDBFactory["open"] = (...args) => {
    if (isForbidden) throw new DOMException("The operation is insecure", "SecurityError");
    return factory.open(...args);
  };
  return {
    factory: Object.assign(Object.create(factory) as IDBFactory, { open }),
    allow: () => {
      isForbidden = false;
    },
  };
}

/** A browser whose open databases the test can access, last one first. */
function seen(): { readonly factory: IDBFactory; readonly last: () => IDBDatabase } {
  const factory = fakeFactory();
  const requests: IDBOpenDBRequest[] = [];
  const open: IDBFactory["open"] = (...args) => {
    const request = factory.open(...args);
    requests.unshift(request);
    return request;
  };
  return {
    factory: Object.assign(Object.create(factory) as IDBFactory, { open }),
    last: () => {
      const [request] = requests;
      if (!request) throw new Error("Nothing was opened");
      return request.result;
    },
  };
}

describe("a browser's store", () => {
  const opened: IndexedDbStore[] = [];
  const open = async (factory: IDBFactory, now = () => T0): Promise<IndexedDbStore> => {
    const store = await openIndexedDbStore({ name: "d", now, factory });
    opened.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
  });

  it("keeps everything for the next opening", async () => {
    const factory = fakeFactory();
    const first = await open(factory);
    await first.saveRooms([aRoom()]);
    await first.saveMessages([aMessage("a")]);
    first.close();
    await expect(first.rooms()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    const second = await open(factory);
    expect(await second.rooms()).toEqual([aRoom()]);
    expect(await second.message("a")).toMatchObject(aMessage("a"));
  });

  it("rejects every call while storage is forbidden, and retries on each", async () => {
    const { factory, allow } = forbidding();
    const store = await open(factory);
    const refused = {
      code: "STORAGE_FAILED",
      message: "This browser's storage cannot be used: SecurityError",
      retryable: true,
    };
    await expect(store.rooms()).rejects.toMatchObject(refused);
    await expect(store.saveRooms([aRoom()])).rejects.toMatchObject(refused);
    allow();
    await store.saveRooms([aRoom()]);
    expect(await store.rooms()).toEqual([aRoom()]);
  });

  it("reports that the page is too old for the stored version", async () => {
    const factory = fakeFactory();
    const store = await open(factory);
    await new Promise((resolve) => {
      factory.open("d", 99).onsuccess = resolve;
    });
    await expect(store.rooms()).rejects.toMatchObject({ code: "STORAGE_FAILED", retryable: false });
  });

  it("reopens if its connection is closed", async () => {
    const { factory, last } = seen();
    const store = await open(factory);
    await store.saveRooms([aRoom()]);
    const first = last();
    first.close();
    expect(await store.rooms()).toEqual([aRoom()]);
    expect(last()).not.toBe(first);
    last().close();
    await store.saveMessages([aMessage("a")]);
    expect(await store.message("a")).toBeDefined();
  });

  it.each([
    ["QuotaExceededError", "STORAGE_FULL"],
    ["UnknownError", "STORAGE_FAILED"],
  ])("keeps nothing of a call that ends halfway with %s, and serves the next", async (name, code) => {
    const store = await open(fakeFactory());
    const messages = Array.from({ length: 50 }, (_, index) => aMessage(`m-${index}`));
    const place = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, "put");
    const put = place?.value as (
      this: IDBObjectStore,
      value: unknown,
      key?: IDBValidKey,
    ) => IDBRequest<IDBValidKey>;
    let left = 30;
    const failing = jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      left -= 1;
      if (left < 0) throw new DOMException("marker", name);
      return put.apply(this, args);
    });
    const refused = { code, retryable: true };
    await expect(store.saveMessages(messages)).rejects.toMatchObject(refused);
    failing.mockRestore();
    expect(await store.message("m-0")).toBeUndefined();
    await store.saveMessages(messages);
    expect(await store.message("m-49")).toMatchObject({ updatedAt: T0 });
  });

  it("rejects a call with a malformed record, and reports the problem without its texts", async () => {
    const store = await open(fakeFactory());
    const broken = [
      { ...aMessage("b"), timestamp: 1.5 },
      { ...aMessage("b"), content: 7 },
      { ...aMessage("b"), delivery: "marker" },
      { ...aMessage("b"), mentions: [null] },
      { ...aMessage("b"), roomId: undefined },
    ] as unknown as NewMessage[];
    for (const record of broken) {
      const secret = aMessage("a", { content: "marker" });
      const problem = await store.saveMessages([secret, record]).catch((error: unknown) => error);
      expect(problem).toMatchObject({
        code: "INVALID_REQUEST",
        issues: [{ path: expect.stringMatching(/^0\.1\./) }],
      });
      expect(JSON.stringify(problem) + String(problem)).not.toContain("marker");
    }
    expect(await store.message("a")).toBeUndefined();
  });

  it("drops unknown fields, such as a secret", async () => {
    const factory = fakeFactory();
    const store = await open(factory);
    await store.saveRooms([{ ...aRoom(), token: "marker" } as never]);
    await store.saveMessages([{ ...aMessage("a"), token: "marker" } as never]);
    expect(JSON.stringify([await store.rooms(), await store.message("a")])).not.toContain("marker");
  });

  it("dates changes of two tabs one after the other, even if their clock stands still", async () => {
    const factory = fakeFactory();
    const [one, other] = [await open(factory), await open(factory)];
    await one.saveRooms([aRoom()]);
    const writing = Array.from({ length: 40 }, (_, index) => {
      const tab = index % 2 === 0 ? one : other;
      return index % 4 < 2
        ? tab.saveMessages([aMessage(`m-${index}`)])
        : tab.editMessages([anEdit(`m-${index - 2}`, 1)]);
    });
    await Promise.all(writing);
    const page = await other.messagesSince(aRoom().id, { limit: 99, after: { updatedAt: 0 } });
    const times = page?.messages.map(({ updatedAt }) => updatedAt) ?? [];
    expect(times).toHaveLength(20);
    expect(new Set(times).size).toBe(20);
    expect(Math.max(...times)).toBe(T0 + 39);
  });

  it("merges concurrent writes of two tabs", async () => {
    const factory = fakeFactory();
    const [one, other] = [await open(factory), await open(factory)];
    const edits = Array.from({ length: 30 }, (_, index) => anEdit("a", index + 1));
    await Promise.all([
      ...edits.map((edit, index) => (index % 2 === 0 ? one : other).editMessages([edit])),
      one.saveMessages([aMessage("a")]),
      other.saveMessages([aMessage("a")]),
    ]);
    expect(await one.message("a")).toMatchObject({ revision: 30 });
    expect(await other.messageEdits("a")).toHaveLength(31);
  });
});
