import { expect, it } from "@jest/globals";
import type { ManualClock } from "@hearth/runtime/testing";
import { compareText } from "@hearth/device";
import type { DeviceMessage, NewMessage } from "@hearth/device";
import type { StoreUnderTest } from "./device-records.contract.ts";
import { ROOM, T0, aMessage, aRoom, anEdit, seededRandom, parsed } from "./device-records.contract.ts";
import type { ChangePosition, MessagePosition } from "../device-store.ts";

const inOrder = (messages: readonly NewMessage[]): string[] =>
  messages.toSorted((a, b) => a.timestamp - b.timestamp || compareText(a.id, b.id)).map(({ id }) => id);

const idsOf = (messages: readonly { readonly id: string }[] = []): string[] => messages.map(({ id }) => id);

export function pagesSuite(
  store: () => StoreUnderTest,
  clock: () => ManualClock,
  seeds: readonly number[],
): void {
  const writer = () => store().writer;
  const reader = () => store().reader;

  /** Few distinct times, so that many are equal; written in batches of any size, most at the end. */
  async function history(seed: number, count: number): Promise<NewMessage[]> {
    const roll = seededRandom(seed);
    const all = Array.from({ length: count }, (_, index) =>
      aMessage(`m-${roll(1_000_000)}-${index}`, {
        timestamp: T0 + (roll(3) === 0 ? roll(count) : index) / 4 - ((roll(3) === 0 ? 1 : 0) * index) / 4,
      }),
    ).map((message) => ({ ...message, timestamp: Math.floor(message.timestamp) }));
    for (let index = 0; index < all.length; ) {
      const size = 1 + roll(roll(2) === 0 ? 3 : 900);
      await writer().saveMessages(all.slice(index, index + size));
      index += size;
    }
    return all;
  }

  it("has no page of an unknown room, and an empty one of an empty room", async () => {
    const page = { limit: 5, from: { offset: 0 } };
    await writer().saveMessages([aMessage("message-1")]);
    expect(await reader().messages(ROOM, page)).toBeUndefined();
    expect(await reader().messagesJson(ROOM, page)).toBeUndefined();
    expect(await reader().messagesSince(ROOM, { limit: 5, after: { updatedAt: 0 } })).toBeUndefined();
    await writer().saveRooms([aRoom(), aRoom({ id: "room-2" })]);
    const nothing = { messages: [], next: null, total: 0 };
    expect(await reader().messages("room-2", page)).toEqual(nothing);
    const { json, ...rest } = (await reader().messagesJson("room-2", page)) ?? {};
    expect({ ...rest, messages: parsed(json) }).toEqual(nothing);
    expect((await reader().messages(ROOM, page))?.total).toBe(1);
  });

  it.each(seeds)("LA2 returns messages in order at every offset: seed %i", async (seed) => {
    await writer().saveRooms([aRoom(), aRoom({ id: "room-2" })]);
    const expected = inOrder(await history(seed, 3_000));
    const roll = seededRandom(seed);
    await writer().saveMessages([aMessage("elsewhere", { roomId: "room-2" })]);
    const offsets = [0, 1, 255, 256, 257, 511, 512, 2_999, 3_000, 3_001, 1e9];
    for (const offset of [...offsets, ...Array.from({ length: 60 }, () => roll(3_000))]) {
      const limit = 1 + roll(40);
      const page = await reader().messages(ROOM, { limit, from: { offset } });
      expect([offset, idsOf(page?.messages)]).toEqual([offset, expected.slice(offset, offset + limit)]);
      expect(page?.total).toBe(3_000);
      expect(page?.next === null).toBe(offset + limit >= 3_000);
    }
  });

  it("LA2 reaches every message once by following next, from the start and from any offset", async () => {
    await writer().saveRooms([aRoom()]);
    const expected = inOrder(await history(4, 1_500));
    for (const offset of [0, 700]) {
      const seen: string[] = [];
      let from: { readonly offset: number } | MessagePosition | null = { offset };
      while (from) {
        const page = await reader().messages(ROOM, { limit: 97, from });
        seen.push(...idsOf(page?.messages));
        from = page?.next ?? null;
      }
      expect(seen).toEqual(expected.slice(offset));
    }
  });

  it("returns the same page as JSON text", async () => {
    await writer().saveRooms([aRoom()]);
    await history(5, 600);
    const some = (await reader().messages(ROOM, { limit: 40, from: { offset: 200 } }))?.messages ?? [];
    await writer().editMessages(some.slice(0, 9).map(({ id }) => anEdit(id, 1, { content: '{"id":' })));
    await writer().removeMessages(
      some.slice(9, 20).map(({ id }) => ({ messageId: id, roomId: ROOM, deletedAt: T0 })),
    );
    const position = { timestamp: some[3]?.timestamp ?? 0, id: some[3]?.id ?? "" };
    for (const from of [{ offset: 0 }, { offset: 195 }, { offset: 590 }, { offset: 600 }, position]) {
      const records = await reader().messages(ROOM, { limit: 30, from });
      const { json, ...rest } = (await reader().messagesJson(ROOM, { limit: 30, from })) ?? {};
      expect({ ...rest, messages: parsed(json) }).toEqual(records);
    }
    for (const after of [{ updatedAt: 0 }, { updatedAt: clock().now() + 3, id: some[5]?.id ?? "" }]) {
      const records = await reader().messagesSince(ROOM, { limit: 9, after });
      const { json, ...rest } = (await reader().messagesSinceJson(ROOM, { limit: 9, after })) ?? {};
      expect({ ...rest, messages: parsed(json) }).toEqual(records);
    }
  });

  it("LA2 returns what was created, edited or removed after a time, and nothing else", async () => {
    await writer().saveRooms([aRoom()]);
    const ids = ["old", "edited", "removed", "delivered", "reacted"];
    await writer().saveMessages(ids.map((id) => aMessage(id, { delivery: "pending" })));
    clock().advance(1_000);
    const time = clock().now();
    await writer().saveMessages([aMessage("at the time")]);
    expect(
      idsOf((await reader().messagesSince(ROOM, { limit: 9, after: { updatedAt: time } }))?.messages),
    ).toEqual([]);
    clock().advance(1);
    await writer().removeMessages([{ messageId: "removed", roomId: ROOM, deletedAt: 5 }]);
    await writer().editMessages([anEdit("edited", 2)]);
    await writer().saveMessages([aMessage("created long ago", { timestamp: 5 })]);
    await writer().saveMessages([aMessage("delivered")]);
    await writer().editMessages([anEdit("edited", 1), anEdit("edited", 2)]);
    await writer().removeMessages([{ messageId: "removed", roomId: ROOM, deletedAt: 6 }]);
    const page = await reader().messagesSince(ROOM, { limit: 9, after: { updatedAt: time } });
    expect(idsOf(page?.messages)).toEqual(["removed", "edited", "created long ago"]);
    expect(page?.next).toBeNull();
  });

  it.each([1, 2, 3, 4])(
    "shows every change to whoever follows them, while the clock jumps: seed %i",
    async (seed) => {
      const roll = seededRandom(seed);
      await writer().saveRooms([aRoom()]);
      const mirror = new Map<string, DeviceMessage>();
      let after: ChangePosition | { readonly updatedAt: number } = { updatedAt: 0 };
      const readSome = async (): Promise<boolean> => {
        const page = await reader().messagesSince(ROOM, { limit: 1 + roll(4), after });
        for (const message of page?.messages ?? []) mirror.set(message.id, message);
        const last = page?.messages.at(-1);
        if (last) after = { updatedAt: last.updatedAt, id: last.id };
        return page?.next !== null;
      };
      for (let step = 0; step < 250; step += 1) {
        const id = `m-${roll(60)}`;
        const action = roll(8);
        if (action < 3) await writer().saveMessages([aMessage(id), aMessage(`m-${roll(60)}`)]);
        else if (action < 5) await writer().editMessages([anEdit(id, roll(9))]);
        else if (action < 6)
          await writer().removeMessages([{ messageId: id, roomId: ROOM, deletedAt: roll(9) }]);
        else if (action < 7) await readSome();
        else clock().advance(roll(3) === 0 ? -roll(100_000) : roll(3));
      }
      while (await readSome());
      const all = await reader().messages(ROOM, { limit: 500, from: { offset: 0 } });
      const byId = (a: DeviceMessage, b: DeviceMessage): number => compareText(a.id, b.id);
      expect([...mirror.values()].toSorted(byId)).toEqual(all?.messages.toSorted(byId));
    },
  );
}
