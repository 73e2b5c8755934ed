import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { openSqlite, systemClock } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";
import { CALL } from "@hearth/bridge";
import { storeOf } from "@hearth/bridge";
import { openBridgeStore } from "@hearth/client";
import { createBoundedStore } from "@hearth/client";
import { ROOM, T0, aCredential, aMessage, aRoom } from "@hearth/store/testing";
import { sqliteDeviceReader, sqliteDeviceWriter } from "@hearth/store/sqlite";
import { sqliteEraser } from "@hearth/store/sqlite";
import { sqliteHistoryReader } from "@hearth/store/sqlite";
import type { ClientStore } from "@hearth/store";
import { migrations } from "@hearth/store/sqlite";
import { createStoreHandlers } from "./store-handlers.ts";

const PAGES = 800;

/** The store as the page sees it: through the handlers of its two channels. */
function windowStore(db: Sqlite): ClientStore {
  const device = { ...sqliteDeviceReader(db), ...sqliteDeviceWriter(db, systemClock) };
  const client = { ...device, ...sqliteHistoryReader(db), eraseAll: sqliteEraser(db) };
  const handlers = createStoreHandlers(client, () => undefined);
  const store = storeOf((method, kind) => async (...args) => {
    try {
      return await handlers[kind === "read" ? CALL.readStore : CALL.writeStore]({ method, args });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { code, message } = error;
      throw Object.assign(new Error(message), { name: "BridgeFailure", code });
    }
  });
  return openBridgeStore({ store });
}

describe("a full disk", () => {
  let folder: string;
  let db: Sqlite;
  const batch = (from: number) =>
    Array.from({ length: 100 }, (_, index) =>
      aMessage(`m-${String(from + index).padStart(6, "0")}`, {
        timestamp: T0 + from + index,
        content: "tea ".repeat(100),
      }),
    );

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "hearth-full-"));
    db = openSqlite(path.join(folder, "device.db"), migrations);
    db.database.exec(`PRAGMA max_page_count = ${PAGES}`);
  });
  afterEach(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  it("is distinguished from other failures, and nothing is written", async () => {
    const store = windowStore(db);
    await store.saveRooms([aRoom()]);
    const fill = async (): Promise<void> => {
      for (let from = 0; from < 20_000; from += 100) await store.saveMessages(batch(from));
    };
    await expect(fill()).rejects.toMatchObject({ code: "STORAGE_FULL", retryable: true });
    expect((await store.usage()).messages % 100).toBe(0);
  });

  it("AB6 removes the oldest messages; the newest, the outbox, drafts and accounts stay", async () => {
    const reasons: string[] = [];
    const rules = { maxBytes: () => null, onDropped: (reason: string) => void reasons.push(reason) };
    const { store } = createBoundedStore(windowStore(db), rules);
    await store.saveRooms([aRoom()]);
    await store.setMeta("draft:room", "half a sentence");
    await store.saveCredential(aCredential("https://chat.example"));
    await store.saveMessages([aMessage("waits", { delivery: "pending", timestamp: T0 - 1 })]);
    for (let from = 0; from < 20_000; from += 100) await store.saveMessages(batch(from));
    const { messages, bytes } = await store.usage();
    expect(messages).toBeGreaterThan(200);
    expect(messages).toBeLessThan(20_000);
    expect(bytes).toBeLessThanOrEqual(PAGES * 4_096);
    expect(reasons).toContain("full");
    expect(await store.message("m-019999")).toBeDefined();
    expect(await store.message("m-000000")).toBeUndefined();
    const page = await store.messages(ROOM, { limit: 1_000, from: { offset: 1 } });
    const ids = page?.messages.map(({ id }) => id) ?? [];
    expect(ids).toEqual(batchIds(ids.length, Number(ids[0]?.slice(2))));
    expect((await store.undelivered()).map(({ id }) => id)).toEqual(["waits"]);
    expect([await store.meta("draft:room"), (await store.credentials()).length]).toEqual([
      "half a sentence",
      1,
    ]);
  }, 60_000);

  it("AB6 applies to a limit below the disk's size", async () => {
    const rules = { maxBytes: () => 1_500_000, onDropped: () => undefined };
    const { store, trim } = createBoundedStore(windowStore(db), rules);
    await store.saveRooms([aRoom()]);
    for (let from = 0; from < 5_000; from += 100) await store.saveMessages(batch(from));
    await trim();
    expect((await store.usage()).bytes).toBeLessThanOrEqual(1_500_000);
    expect(await store.message("m-004999")).toBeDefined();
    expect(await store.message("m-000000")).toBeUndefined();
  }, 60_000);
});

/** The remaining messages have no gaps. */
const batchIds = (count: number, first: number): string[] =>
  Array.from({ length: count }, (_, index) => `m-${String(first + index).padStart(6, "0")}`);
