import { expect, it, jest } from "@jest/globals";
import { inChromium } from "../../src/browser/for-tests.ts";
import { FILL, TOTAL, storeForTests } from "../../src/product-client/store-for-tests.ts";
import { openTab } from "../../src/product-client/store-tab.ts";

jest.setTimeout(60_000);

inChromium("the browser's store in Chromium, full or with many messages", () => {
  const store = storeForTests();

  it("reports full storage, keeps its data and continues when there is space again", async () => {
    const narrow = await store.browser.newContext();
    const session = await narrow.newCDPSession(await narrow.newPage());
    const { origin } = new URL(store.url);
    // Set before anything is opened there, because the browser caches the quota for a while.
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 8_000_000 });
    const filled = await openTab(narrow, store.url);
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

  it("AB6 deletes the oldest messages first when the storage is full, never the newest, the outbox or a draft", async () => {
    const narrow = await store.browser.newContext();
    const session = await narrow.newCDPSession(await narrow.newPage());
    const { origin } = new URL(store.url);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 16_000_000 });
    const filled = await openTab(narrow, store.url);
    const seen = await filled.run<Record<string, unknown>>(`async (store) => {
      const reasons = new Set();
      const rules = { maxBytes: () => null, onDropped: (reason) => reasons.add(reason) };
      const bounded = hearth.createBoundedStore(store, rules).store;
      await bounded.saveRooms([hearth.aRoom()]);
      await bounded.setMeta("draft:room-1/", "half a sentence");
      await bounded.saveMessages([hearth.aMessage("waits", { delivery: "pending", timestamp: 1 })]);
      const text = () => Array.from({ length: 400 }, () => Math.random().toString(36).slice(2)).join(" ");
      const id = (n) => "m-" + String(n).padStart(6, "0");
      const [BATCH, ALL] = [50, 8_000];
      for (let from = 0; from < ALL; from += BATCH) {
        const some = Array.from({ length: BATCH }, (_, n) =>
          hearth.aMessage(id(from + n), { timestamp: 2 + from + n, content: text() }));
        await bounded.saveMessages(some);
      }
      const ids = (await bounded.undelivered()).map(({ id }) => id);
      return {
        reasons: [...reasons], undelivered: ids, draft: await bounded.meta("draft:room-1/"),
        oldest: await bounded.message(id(0)) ?? null, newest: (await bounded.message(id(ALL - 1)))?.id,
        kept: (await bounded.usage()).messages,
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

  it("reads and searches a server of 10,000 messages", async () => {
    const result = await store.tab.run<{ laps: Record<string, number>; answers: unknown }>(`async (store) => {
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
      const { messages: full } = await lap("200 full messages", () => store.fullMessages("room-1", { after: { updatedAt: 0 }, limit: 200 }));
      const page = await lap("page at 9,000", () => store.messages("room-1", { limit: 50, from: { offset: 9_000 } }));
      await lap("forget the room", () => store.removeRoom("room-1"));
      const ends = ({ messages, hasMore }) => [messages[0].id, messages.at(-1).id, messages.length, hasMore];
      return {
        laps,
        answers: {
          newest: ends(newest), before: ends(before), after: ends(after), unread, found: found.length,
          near: near.length, undelivered: undelivered.map(({ id }) => id), fullMessages: full.length,
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
      fullMessages: 200,
      page: ["m-9000", 10_000],
      left: { messages: [], hasMore: false },
    });
  });
});
