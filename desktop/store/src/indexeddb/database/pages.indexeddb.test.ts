import { afterEach, describe, expect, it } from "@jest/globals";
import { aMessage } from "../../contract/device-records.contract.ts";
import type { IndexedDbStore } from "../open.indexeddb.ts";
import "../testing/fake-indexeddb.ts";
import { openFakeStore } from "../testing/fake-store.ts";

const GENERAL = { roomId: "room-1", channelId: "channel-1" };
const backwards = Object.getOwnPropertyDescriptor(IDBIndex.prototype, "getAllRecords");

/** Every window of every size at every position. */
async function windows(store: IndexedDbStore, count: number): Promise<unknown> {
  const found: unknown[] = [];
  for (let end = 0; end <= count + 1; end += 1) {
    for (let limit = 1; limit <= count + 1; limit += 1) {
      const before = end > count ? null : { timestamp: end, id: "" };
      const { messages, hasMore } = await store.messagesBefore(GENERAL, { limit, before });
      found.push([end, limit, messages.map(({ id }) => id), hasMore]);
    }
  }
  return found;
}

describe("the last messages of a range", () => {
  afterEach(() => {
    if (backwards) Object.defineProperty(IDBIndex.prototype, "getAllRecords", backwards);
  });

  it("are the same in a browser that cannot read backwards", async () => {
    expect(backwards).toBeDefined();
    const store = await openFakeStore(() => 0);
    const messages = Array.from({ length: 6 }, (_, index) => aMessage(`m-${index}`, { timestamp: index }));
    await store.saveMessages(messages);
    const modern = await windows(store, 6);
    Reflect.deleteProperty(IDBIndex.prototype, "getAllRecords");
    expect("getAllRecords" in IDBIndex.prototype).toBe(false);
    expect(await windows(store, 6)).toEqual(modern);
    expect(modern).toContainEqual([5, 2, ["m-3", "m-4"], true]);
    expect(modern).toContainEqual([7, 6, ["m-0", "m-1", "m-2", "m-3", "m-4", "m-5"], false]);
    expect(modern).toContainEqual([0, 1, [], false]);
    store.close();
  });
});
