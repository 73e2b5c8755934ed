import type { NewMessage } from "@hearth/device";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ROOM, T0, aCredential, aMessage, aRoom } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { ClientProblem } from "@hearth/device";
import { droppedUpTo, createBoundedStore } from "./bounded-store.ts";
import { openFakeStore } from "@hearth/store/testing";

const SMALL = "0198c0de-0000-7000-8000-0000000000ff";

const messages = (count: number, roomId = ROOM, from = 0): NewMessage[] =>
  Array.from({ length: count }, (_, index) =>
    aMessage(`${roomId === ROOM ? "m1" : "m2"}-${String(from + index).padStart(5, "0")}`, {
      roomId,
      timestamp: T0 + from + index,
    }),
  );

describe("a full storage", () => {
  let inner: ClientStore;
  let store: ClientStore;
  let capacity: number;
  const total = async (roomId: string): Promise<number> =>
    (await inner.messages(roomId, { limit: 1, from: { offset: 0 } }))?.total ?? 0;

  beforeEach(async () => {
    inner = await openFakeStore(() => T0);
    capacity = 1_000;
    const room = async (arriving: number): Promise<boolean> =>
      (await total(ROOM)) + (await total(SMALL)) + arriving <= capacity;
    ({ store } = createBoundedStore(
      new Proxy(inner, {
        get(target, name: keyof ClientStore) {
          if (name !== "saveMessages") return Reflect.get(target, name) as unknown;
          return async (arriving: readonly NewMessage[]) => {
            if (!(await room(arriving.length))) throw new ClientProblem("STORAGE_FULL");
            return target.saveMessages(arriving);
          };
        },
      }),
    ));
    await store.saveRooms([aRoom(), aRoom({ id: SMALL })]);
  });

  it("keeps the newest messages of the largest room and all of the small one, and records where it cut", async () => {
    await store.saveMessages(messages(300, SMALL));
    await store.saveMessages(messages(700));
    await store.saveMessages(messages(50, ROOM, 700));
    expect(await total(SMALL)).toBe(300);
    expect(await total(ROOM)).toBe(650);
    expect(await inner.message("m1-00749")).toBeDefined();
    expect(await droppedUpTo(store, ROOM)).toEqual({ timestamp: T0 + 99, id: "m1-00099" });
    expect(await droppedUpTo(store, SMALL)).toBeNull();
  });

  it("does not store removed messages again, but everything newer", async () => {
    await store.saveMessages(messages(1_000));
    await store.saveMessages(messages(1, ROOM, 1_000));
    await store.saveMessages(messages(10));
    expect(await inner.message("m1-00000")).toBeUndefined();
    expect(await total(ROOM)).toBe(901);
    const again = createBoundedStore(inner).store;
    await again.saveMessages(messages(1));
    expect(await inner.message("m1-00000")).toBeUndefined();
  });

  it("rejects when nothing is left to remove", async () => {
    await store.saveMessages(messages(200));
    capacity = 200;
    await expect(store.saveMessages(messages(1, ROOM, 200))).rejects.toMatchObject({
      code: "STORAGE_FULL",
    });
    expect(await total(ROOM)).toBe(200);
  });
});

describe("a size limit", () => {
  const stage = async (maxBytes: number | null) => {
    const inner = await openFakeStore(() => T0);
    const limit = { maxBytes };
    const reasons: string[] = [];
    const { store, trim } = createBoundedStore(inner, {
      maxBytes: () => limit.maxBytes,
      onDropped: (reason) => void reasons.push(reason),
    });
    await store.saveRooms([aRoom(), aRoom({ id: SMALL })]);
    return { store, trim, limit, reasons };
  };

  it("AB6 removes only the oldest messages, never the newest, the outbox, drafts or accounts", async () => {
    const { store, trim, reasons } = await stage(1_000_000);
    await store.setMeta("draft:room", "half a sentence");
    await store.saveCredential(aCredential("https://chat.example"));
    const waiting = aMessage("waits", { delivery: "pending", timestamp: T0 - 9 });
    await store.saveMessages([waiting, ...messages(300, SMALL)]);
    for (let from = 0; from < 3_000; from += 500) await store.saveMessages(messages(500, ROOM, from));
    await trim();
    const { bytes, messages: kept } = await store.usage();
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect([kept, new Set(reasons)]).toEqual([expect.any(Number), new Set(["cap"])]);
    expect(kept).toBeGreaterThan(800);
    expect(await store.message("m1-02999")).toBeDefined();
    expect(await store.message("m1-00000")).toBeUndefined();
    expect((await store.undelivered()).map(({ id }) => id)).toEqual(["waits"]);
    expect((await store.messages(SMALL, { limit: 1, from: { offset: 0 } }))?.total).toBe(300);
    expect([await store.meta("draft:room"), (await store.credentials()).length]).toEqual([
      "half a sentence",
      1,
    ]);
  });

  it("AB6 applies when it is set, and keeps everything that fits", async () => {
    const { store, trim, limit, reasons } = await stage(null);
    await store.saveMessages(messages(900));
    await trim();
    expect([(await store.usage()).messages, reasons]).toEqual([900, []]);
    limit.maxBytes = 10_000_000;
    await trim();
    expect([(await store.usage()).messages, reasons]).toEqual([900, []]);
    limit.maxBytes = 1;
    await trim();
    expect([(await store.usage()).messages, reasons]).toEqual([200, ["cap"]]);
  });
});
