import { expect, it, jest } from "@jest/globals";
import { until } from "@hearth/runtime/testing/until";
import { inChromium } from "../../src/browser/for-tests.ts";
import { FILL, TOTAL, storeForTests } from "../../src/product-client/store-for-tests.ts";
import { openTab } from "../../src/product-client/store-tab.ts";

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

inChromium("the browser's store in Chromium", () => {
  const store = storeForTests();

  it("CL5 keeps everything over a reload", async () => {
    await store.tab.run(`async (store) => {
      await store.editMessages([hearth.anEdit("edited", 1)]);
      await store.saveMessages([hearth.aMessage("edited"), hearth.aMessage("waits", { delivery: "pending" })]);
      await store.saveEmoji([hearth.anEmoji("leaf")]);
      await store.setMeta("draft:room-1/", "half a sentence");
    }`);
    const before = await store.tab.run(EVERYTHING);
    await store.tab.reload();
    expect(await store.tab.run(EVERYTHING)).toEqual(before);
    expect(before).toMatchObject({
      page: { messages: [{ id: "edited", revision: 1 }, { id: "waits" }], total: 2 },
      edits: [{ revision: 0 }, { revision: 1 }],
      undelivered: [{ id: "waits" }],
      meta: [{ key: "draft:room-1/", value: "half a sentence" }],
      removals: [{ kind: "room", id: "gone" }],
      emoji: [{ id: "leaf", bytes: [1, 2, 3] }],
    });
  });

  it("orders ids by code points and replaces half a surrogate pair", async () => {
    const order = await store.tab.run(`async (store) => {
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

  it("keeps everything that two tabs write at once, and gives every change a time of its own", async () => {
    const other = await openTab(store.context, store.url);
    const write = `async (store, name) => {
      const ids = Array.from({ length: 100 }, (_, index) => name + "-" + index);
      await Promise.all(ids.map(async (id, index) => {
        await store.saveMessages([hearth.aMessage(id)]);
        await store.editMessages([hearth.anEdit(id, 1), hearth.anEdit("shared", index + 1, { content: name })]);
      }));
    }`;
    await Promise.all([store.tab.run(write, "one"), other.run(write, "other")]);
    await other.run(`(store) => store.saveMessages([hearth.aMessage("shared")])`);
    const { messages } = await store.tab.run<{
      messages: { id: string; updatedAt: number; revision: number }[];
    }>(`(store) => store.messagesSince("room-1", { limit: 500, after: { updatedAt: 0 } })`);
    expect(messages).toHaveLength(201);
    expect(new Set(messages.map(({ updatedAt }) => updatedAt)).size).toBe(201);
    expect(messages.every(({ revision }) => revision > 0)).toBe(true);
    const edits = await store.tab.run<unknown[]>(`(store) => store.messageEdits("shared")`);
    expect(edits).toHaveLength(201);
  });

  it("writes a call completely or not at all when the page closes in between", async () => {
    const fill = { batch: 200, size: 36, most: 50, name: "m" };
    await store.tab.run(`(store, fill) => { void (${FILL})(store, fill); }`, fill);
    await store.tab.page.waitForTimeout(250);
    await store.tab.reload();
    const total = await store.tab.run<number>(TOTAL);
    console.info(`${total} of 10000 messages were written before the page went away`);
    expect(total % 200).toBe(0);
    expect(await store.tab.run(FILL, { ...fill, most: 1, name: "again" })).toEqual({
      code: null,
      written: 1,
    });
    expect(await store.tab.run<number>(TOTAL)).toBe(total + 200);
  });

  it("closes for a tab with a newer version and reports that this page is too old", async () => {
    const other = await openTab(store.context, store.url);
    await other.run(`() => new Promise((resolve, reject) => {
      store.close();
      const request = indexedDB.open("hearth", 99);
      request.onsuccess = () => { request.result.close(); resolve(); };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    })`);
    const refused = await store.tab.run(
      `(store) => store.rooms().catch(({ code, retryable }) => ({ code, retryable }))`,
    );
    expect(refused).toEqual({ code: "STORAGE_FAILED", retryable: false });
    expect(await store.tab.run("() => problems")).toEqual(["STORAGE_FAILED"]);
  });

  it("starts over when another tab deletes the database", async () => {
    const other = await openTab(store.context, store.url);
    await other.run(`() => new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase("hearth");
      request.onsuccess = () => resolve();
      request.onblocked = () => reject(new Error("blocked"));
    })`);
    expect(await store.tab.run("(store) => store.rooms()")).toEqual([]);
    await store.tab.run("(store) => store.saveRooms([hearth.aRoom()])");
    expect(await other.run("(store) => store.rooms()")).toHaveLength(1);
    expect(await store.tab.run("() => problems")).toEqual([]);
  });

  it("does not wait forever for a tab that blocks it, and works once that tab is closed", async () => {
    const other = await store.context.newPage();
    await other.goto(store.url);
    await other.evaluate(`new Promise((resolve, reject) => {
      const request = indexedDB.open("hearth");
      request.onsuccess = resolve;
      request.onerror = reject;
    })`);
    const attempt = `(store) => store.rooms().then((rooms) => rooms.length, ({ code, retryable }) => ({ code, retryable }))`;
    await store.tab.run(`() => { indexedDB.deleteDatabase("hearth"); }`);
    const refused = { code: "STORAGE_FAILED", retryable: true };
    expect(await store.tab.run(attempt)).toEqual(refused);
    expect(await store.tab.run(attempt)).toEqual(refused);
    await other.close();
    await until(async () => (await store.tab.run(attempt)) === 0, 20_000);
  });
});
