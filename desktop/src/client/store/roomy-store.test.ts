import { beforeEach, describe, expect, it } from "@jest/globals";
import { ROOM, T0, aMessage, aRoom } from "../../store/device-records.contract.ts";
import type { NewMessage } from "../../store/device-store.ts";
import type { ClientStore } from "../../store/history.ts";
import { ClientProblem } from "../problem.ts";
import { droppedUpTo, makeRoomIn } from "./roomy-store.ts";
import { openFakeStore } from "./testing/fake-store.ts";

const SMALL = "0198c0de-0000-7000-8000-0000000000ff";

const messages = (count: number, roomId = ROOM, from = 0): NewMessage[] =>
  Array.from({ length: count }, (_, index) =>
    aMessage(`${roomId === ROOM ? "m1" : "m2"}-${String(from + index).padStart(5, "0")}`, {
      roomId,
      timestamp: T0 + from + index,
    }),
  );

describe("a storage that is full", () => {
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
    store = makeRoomIn(
      new Proxy(inner, {
        get(target, name: keyof ClientStore) {
          if (name !== "saveMessages") return Reflect.get(target, name) as unknown;
          return async (arriving: readonly NewMessage[]) => {
            if (!(await room(arriving.length))) throw new ClientProblem("STORAGE_FULL");
            return target.saveMessages(arriving);
          };
        },
      }),
    );
    await store.saveRooms([aRoom(), aRoom({ id: SMALL })]);
  });

  it("keeps the newest of the largest room, the small one whole, and says up to where it removed", async () => {
    await store.saveMessages(messages(300, SMALL));
    await store.saveMessages(messages(700));
    await store.saveMessages(messages(50, ROOM, 700));
    expect(await total(SMALL)).toBe(300);
    expect(await total(ROOM)).toBe(650);
    expect(await inner.message("m1-00749")).toBeDefined();
    expect(await droppedUpTo(store, ROOM)).toEqual({ timestamp: T0 + 99, id: "m1-00099" });
    expect(await droppedUpTo(store, SMALL)).toBeNull();
  });

  it("does not take back what it removed, but everything that is newer", async () => {
    await store.saveMessages(messages(1_000));
    await store.saveMessages(messages(1, ROOM, 1_000));
    await store.saveMessages(messages(10));
    expect(await inner.message("m1-00000")).toBeUndefined();
    expect(await total(ROOM)).toBe(901);
    const again = makeRoomIn(inner);
    await again.saveMessages(messages(1));
    expect(await inner.message("m1-00000")).toBeUndefined();
  });

  it("is told when there is nothing left to remove", async () => {
    await store.saveMessages(messages(200));
    capacity = 200;
    await expect(store.saveMessages(messages(1, ROOM, 200))).rejects.toMatchObject({
      code: "STORAGE_FULL",
    });
    expect(await total(ROOM)).toBe(200);
  });
});
