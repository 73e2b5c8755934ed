import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from "@jest/globals";
import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "../../src/browser/chromium.ts";
import { inChromium } from "../../src/browser/for-tests.ts";
import type { StaticSite } from "../../src/browser/static-site.ts";
import { serveStore } from "../../src/product-client/store-site.ts";
import { openTab } from "../../src/product-client/store-tab.ts";
import type { StoreTab } from "../../src/product-client/store-tab.ts";
import { eventually } from "../../src/expectations/eventually.ts";

jest.setTimeout(60_000);

const EVERYTHING = `async (store) => ({
  rooms: await store.rooms(),
  page: await store.messages("room-1", { limit: 500, from: { offset: 0 } }),
  edits: await store.messageEdits("edited"),
  undelivered: await store.undelivered(),
  meta: await store.metaEntries(""),
  removals: await store.removals(),
  emoji: (await store.emoji()).map(({ bytes, ...record }) => ({ ...record, bytes: [...bytes] })),
})`;

/** Writes whole batches of messages of some size until told otherwise by a refusal, which it answers. */
const FILL = `async (store, { batch, size, most, name }) => {
  const text = (length) => Array.from({ length: length / 36 }, () => crypto.randomUUID()).join("");
  for (let index = 0; index < most; index += 1) {
    const messages = Array.from({ length: batch }, (_, at) =>
      hearth.aMessage(name + "-" + index + "-" + at, { content: text(size), timestamp: index }));
    try {
      await store.saveMessages(messages);
    } catch (error) {
      return { code: error.code, retryable: error.retryable, written: index };
    }
  }
  return { code: null, written: most };
}`;

const TOTAL = `async (store) => (await store.messages("room-1", { limit: 1, from: { offset: 0 } })).total`;

let site: StaticSite;
let browser: Browser;
let context: BrowserContext;
let tab: StoreTab;

inChromium("the browser's store in Chromium", () => {
  beforeAll(async () => {
    site = await serveStore();
    browser = await launchChromium();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    context = await browser.newContext();
    tab = await openTab(context, site.url);
    await tab.run(`async (store) => {
      await store.saveRooms([hearth.aRoom(), hearth.aRoom({ id: "gone" })]);
      await store.removeRoom("gone");
    }`);
  });

  afterEach(async () => {
    await context.close();
    expect(tab.complaints).toEqual([]);
  });

  it("CL5 keeps everything over a reload", async () => {
    await tab.run(`async (store) => {
      await store.editMessages([hearth.anEdit("edited", 1)]);
      await store.saveMessages([hearth.aMessage("edited"), hearth.aMessage("waits", { delivery: "pending" })]);
      await store.saveEmoji([hearth.anEmoji("leaf")]);
      await store.setMeta("draft:room-1/", "half a sentence");
    }`);
    const before = await tab.run(EVERYTHING);
    await tab.reload();
    expect(await tab.run(EVERYTHING)).toEqual(before);
    expect(before).toMatchObject({
      page: { messages: [{ id: "edited", revision: 1 }, { id: "waits" }], total: 2 },
      edits: [{ revision: 0 }, { revision: 1 }],
      undelivered: [{ id: "waits" }],
      meta: [{ key: "draft:room-1/", value: "half a sentence" }],
      removals: [{ kind: "room", id: "gone" }],
      emoji: [{ id: "leaf", bytes: [1, 2, 3] }],
    });
  });

  it("orders by code points, whatever the ids, and keeps no half of a surrogate pair", async () => {
    const order = await tab.run(`async (store) => {
      const ids = ["\\u{1F331}", "z", "\\u{FFFE}", "\\u{10FFFF}", "\\uE000", "\\uD83C"];
      await store.saveMessages(ids.map((id) => hearth.aMessage(id)));
      const place = { roomId: "room-1", channelId: "channel-1" };
      const idsOf = ({ messages }) => messages.map(({ id }) => id);
      const all = idsOf(await store.messagesBefore(place, { limit: 9, before: null }));
      const steps = [];
      for (let before = null; ; ) {
        const { messages: [message] } = await store.messagesBefore(place, { limit: 1, before });
        if (!message) return { all, steps };
        steps.unshift(message.id);
        before = message;
      }
    }`);
    const expected = ["z", "\u{E000}", "\u{FFFD}", "\u{FFFE}", "\u{1F331}", "\u{10FFFF}"];
    expect(order).toEqual({ all: expected, steps: expected });
  });

  it("lets two tabs write at once: nothing is lost, and no two changes have one time", async () => {
    const other = await openTab(context, site.url);
    const write = `async (store, name) => {
      const ids = Array.from({ length: 100 }, (_, index) => name + "-" + index);
      await Promise.all(ids.map(async (id, index) => {
        await store.saveMessages([hearth.aMessage(id)]);
        await store.editMessages([hearth.anEdit(id, 1), hearth.anEdit("shared", index + 1, { content: name })]);
      }));
    }`;
    await Promise.all([tab.run(write, "one"), other.run(write, "other")]);
    await other.run(`(store) => store.saveMessages([hearth.aMessage("shared")])`);
    const { messages } = await tab.run<{ messages: { id: string; updatedAt: number; revision: number }[] }>(
      `(store) => store.messagesSince("room-1", { limit: 500, after: { updatedAt: 0 } })`,
    );
    expect(messages).toHaveLength(201);
    expect(new Set(messages.map(({ updatedAt }) => updatedAt)).size).toBe(201);
    expect(messages.every(({ revision }) => revision > 0)).toBe(true);
    const edits = await tab.run<unknown[]>(`(store) => store.messageEdits("shared")`);
    expect(edits).toHaveLength(201);
  });

  it("writes whole calls or nothing of them when the page goes away in between", async () => {
    const fill = { batch: 200, size: 36, most: 50, name: "m" };
    await tab.run(`(store, fill) => { void (${FILL})(store, fill); }`, fill);
    await tab.page.waitForTimeout(250);
    await tab.reload();
    const total = await tab.run<number>(TOTAL);
    console.info(`${total} of 10000 messages were written before the page went away`);
    expect(total % 200).toBe(0);
    expect(await tab.run(FILL, { ...fill, most: 1, name: "again" })).toEqual({ code: null, written: 1 });
    expect(await tab.run<number>(TOTAL)).toBe(total + 200);
  });

  it("makes way for a tab with a newer version, and says that this page is too old", async () => {
    const other = await openTab(context, site.url);
    await other.run(`() => new Promise((resolve, reject) => {
      store.close();
      const request = indexedDB.open("hearth", 99);
      request.onsuccess = () => { request.result.close(); resolve(); };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    })`);
    const refused = await tab.run(
      `(store) => store.rooms().catch(({ code, retryable }) => ({ code, retryable }))`,
    );
    expect(refused).toEqual({ code: "STORAGE_FAILED", retryable: false });
    expect(await tab.run("() => problems")).toEqual(["STORAGE_FAILED"]);
  });

  it("begins anew when another tab deletes the database under its feet", async () => {
    const other = await openTab(context, site.url);
    await other.run(`() => new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase("hearth");
      request.onsuccess = () => resolve();
      request.onblocked = () => reject(new Error("blocked"));
    })`);
    expect(await tab.run("(store) => store.rooms()")).toEqual([]);
    await tab.run("(store) => store.saveRooms([hearth.aRoom()])");
    expect(await other.run("(store) => store.rooms()")).toHaveLength(1);
    expect(await tab.run("() => problems")).toEqual([]);
  });

  it("does not wait for ever for a tab that stands in the way, and serves once it is gone", async () => {
    const other = await context.newPage();
    await other.goto(site.url);
    await other.evaluate(`new Promise((resolve, reject) => {
      const request = indexedDB.open("hearth");
      request.onsuccess = resolve;
      request.onerror = reject;
    })`);
    const attempt = `(store) => store.rooms().then((rooms) => rooms.length, ({ code, retryable }) => ({ code, retryable }))`;
    await tab.run(`() => { indexedDB.deleteDatabase("hearth"); }`);
    const refused = { code: "STORAGE_FAILED", retryable: true };
    expect(await tab.run(attempt)).toEqual(refused);
    expect(await tab.run(attempt)).toEqual(refused);
    await other.close();
    await eventually(20_000, async () => (await tab.run(attempt)) === 0);
  });

  it("says that the storage is full, keeps what it had, and goes on when there is room again", async () => {
    const narrow = await browser.newContext();
    const session = await narrow.newCDPSession(await narrow.newPage());
    const { origin } = new URL(site.url);
    // Set before anything is opened there, as the browser remembers for a while how much room it saw.
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 8_000_000 });
    const filled = await openTab(narrow, site.url);
    await filled.run("(store) => store.saveRooms([hearth.aRoom()])");
    const fill = { batch: 20, size: 36_000, most: 100, name: "m" };
    const full = await filled.run<{ code: string; written: number }>(FILL, fill);
    expect(full).toMatchObject({ code: "STORAGE_FULL", retryable: true });
    expect(full.written).toBeGreaterThan(0);
    expect(await filled.run("() => problems")).toEqual(["STORAGE_FULL"]);
    expect(await filled.run<number>(TOTAL)).toBe(full.written * 20);
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    expect(await filled.run(FILL, { ...fill, most: 1, name: "again" })).toMatchObject({ code: null });
    await filled.reload();
    expect(await filled.run<number>(TOTAL)).toBe(full.written * 20 + 20);
    expect(filled.complaints).toEqual([]);
    await narrow.close();
  });

  it("AB6 gives way oldest first when the storage is full, never the newest, the outbox or a draft", async () => {
    const narrow = await browser.newContext();
    const session = await narrow.newCDPSession(await narrow.newPage());
    const { origin } = new URL(site.url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 16_000_000 });
    const filled = await openTab(narrow, site.url);
    const seen = await filled.run<Record<string, unknown>>(`async (store) => {
      const reasons = new Set();
      const rules = { maxBytes: () => null, onDropped: (reason) => reasons.add(reason) };
      const roomy = hearth.makeRoomIn(store, rules).store;
      await roomy.saveRooms([hearth.aRoom()]);
      await roomy.setMeta("draft:room-1/", "half a sentence");
      await roomy.saveMessages([hearth.aMessage("waits", { delivery: "pending", timestamp: 1 })]);
      const text = () => Array.from({ length: 400 }, () => Math.random().toString(36).slice(2)).join(" ");
      const id = (n) => "m-" + String(n).padStart(6, "0");
      const [BATCH, ALL] = [50, 8_000];
      for (let from = 0; from < ALL; from += BATCH) {
        const some = Array.from({ length: BATCH }, (_, n) =>
          hearth.aMessage(id(from + n), { timestamp: 2 + from + n, content: text() }));
        await roomy.saveMessages(some);
      }
      const ids = (await roomy.undelivered()).map(({ id }) => id);
      return {
        reasons: [...reasons], undelivered: ids, draft: await roomy.meta("draft:room-1/"),
        oldest: await roomy.message(id(0)) ?? null, newest: (await roomy.message(id(ALL - 1)))?.id,
        kept: (await roomy.usage()).messages,
      };
    }`);
    console.info(`${String(seen["kept"])} of 8000 messages fit`);
    expect(seen).toMatchObject({
      reasons: ["full"],
      undelivered: ["waits"],
      draft: "half a sentence",
      oldest: null,
      newest: "m-007999",
    });
    expect(seen["kept"]).toBeGreaterThan(200);
    await narrow.close();
  });

  it("finds its way in a room of 10,000 messages", async () => {
    const result = await tab.run<{ laps: Record<string, number>; answers: unknown }>(`async (store) => {
      const laps = {};
      const lap = async (name, work) => {
        const start = performance.now();
        const result = await work();
        laps[name] = Math.round((performance.now() - start) * 10) / 10;
        return result;
      };
      const place = { roomId: "room-1", channelId: "channel-1" };
      const messages = Array.from({ length: 10_000 }, (_, index) => hearth.aMessage("m-" + index, {
        timestamp: index, content: "message number " + index, mentions: index % 50 === 0 ? ["me"] : [],
        delivery: index === 9_000 ? "failed" : "sent",
      }));
      await lap("save, 20 calls", async () => {
        for (let at = 0; at < 10_000; at += 500) await store.saveMessages(messages.slice(at, at + 500));
      });
      await lap("save again, 1 call", () => store.saveMessages(messages));
      const newest = await lap("newest 50", () => store.messagesBefore(place, { limit: 50, before: null }));
      const middle = { timestamp: 5_000, id: "m-5000" };
      const before = await lap("50 before the middle", () => store.messagesBefore(place, { limit: 50, before: middle }));
      const after = await lap("50 after the middle", () => store.messagesAfter(place, { limit: 50, after: middle }));
      const unread = await lap("unread", () => store.unread(place, { after: null, userId: "me" }));
      const found = await lap("search in vain", () => store.searchMessages({ text: "number needle", roomId: "room-1", limit: 20 }));
      const near = await lap("search the newest", () => store.searchMessages({ text: "NUMBER", limit: 20 }));
      const undelivered = await lap("undelivered", () => store.undelivered());
      const { lore } = await lap("lore of 200", () => store.lore("room-1", { after: { updatedAt: 0 }, limit: 200 }));
      const page = await lap("page at 9,000", () => store.messages("room-1", { limit: 50, from: { offset: 9_000 } }));
      await lap("forget the room", () => store.removeRoom("room-1"));
      const ends = ({ messages, hasMore }) => [messages[0].id, messages.at(-1).id, messages.length, hasMore];
      return {
        laps,
        answers: {
          newest: ends(newest), before: ends(before), after: ends(after), unread, found: found.length,
          near: near.length, undelivered: undelivered.map(({ id }) => id), lore: lore.length,
          page: [page.messages[0].id, page.total], left: await store.messagesBefore(place, { limit: 1, before: null }),
        },
      };
    }`);
    console.info("10,000 messages, ms:", result.laps);
    expect(result.answers).toEqual({
      newest: ["m-9950", "m-9999", 50, true],
      before: ["m-4950", "m-4999", 50, true],
      after: ["m-5001", "m-5050", 50, true],
      unread: { messages: 100, mentions: 100, first: { timestamp: 0, id: "m-0" } },
      found: 0,
      near: 20,
      undelivered: ["m-9000"],
      lore: 200,
      page: ["m-9000", 10_000],
      left: { messages: [], hasMore: false },
    });
  });
});
