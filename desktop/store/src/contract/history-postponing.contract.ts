import type { NewMessage } from "@hearth/device";
import { expect, it } from "@jest/globals";
import type { ManualClock } from "@hearth/runtime/testing";
import { ROOM, T0, aMessage, aRoom, anEdit, seededRandom } from "./device-records.contract.ts";
import { GENERAL, OTHER, byPosition, idsOf } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

const waiting = (id: string, fields: Partial<NewMessage> = {}): NewMessage =>
  aMessage(id, { delivery: "pending", senderId: "user-me", ...fields });

export function historyPostponingSuite(store: () => HistoryUnderTest, clock: () => ManualClock): void {
  const writer = () => store().writer;
  const reader = () => store().reader;
  const history = () => store().history;
  const inChannel = async (channel = GENERAL): Promise<string[]> =>
    idsOf((await history().messagesBefore(channel, { limit: 50, before: null })).messages);

  it("moves a waiting message after newer ones, in any order", async () => {
    await writer().saveRooms([aRoom()]);
    await writer().saveMessages([
      waiting("a"),
      waiting("b", { timestamp: T0 + 1 }),
      aMessage("c", { timestamp: T0 + 5 }),
      aMessage("d", { timestamp: T0 + 6, channelId: "channel-2" }),
    ]);
    await writer().postponeMessages([
      { id: "a", timestamp: T0 + 7 },
      { id: "b", timestamp: T0 + 8 },
    ]);
    expect(await inChannel()).toEqual(["c", "a", "b"]);
    expect(await inChannel(OTHER)).toEqual(["d"]);
    const after = { limit: 9, after: { timestamp: T0 + 7, id: "a" } };
    expect(idsOf((await history().messagesAfter(GENERAL, after)).messages)).toEqual(["b"]);
    const page = await reader().messages(ROOM, { limit: 9, from: { offset: 0 } });
    expect([idsOf(page?.messages ?? []), page?.total]).toEqual([["c", "d", "a", "b"], 4]);
    expect(idsOf(await history().searchMessages({ text: "text", limit: 9 }))).toEqual(["b", "a", "d", "c"]);
    expect(await history().undelivered()).toMatchObject([
      { id: "a", timestamp: T0 + 7, delivery: "pending" },
      { id: "b", timestamp: T0 + 8, delivery: "pending" },
    ]);
    await writer().saveMessages([aMessage("a")]);
    expect(idsOf(await history().undelivered())).toEqual(["b"]);
    expect(await reader().message("a")).toMatchObject({ timestamp: T0 + 7, delivery: "sent" });
  });

  it("changes the record once", async () => {
    await writer().saveRooms([aRoom()]);
    await writer().saveMessages([waiting("a"), aMessage("b")]);
    const before = await reader().message("a");
    const updatedAt = before?.updatedAt ?? Number.NaN;
    clock().advance(50);
    await writer().postponeMessages([{ id: "a", timestamp: T0 + 9 }]);
    const record = { ...before, timestamp: T0 + 9, updatedAt: clock().now() };
    expect(await reader().message("a")).toEqual(record);
    const since = await reader().messagesSince(ROOM, { limit: 9, after: { updatedAt } });
    expect(since?.messages).toEqual([record]);
    const { messages } = await history().fullMessages(ROOM, { after: { updatedAt }, limit: 9 });
    expect(messages.map(({ message }) => message)).toEqual([waiting("a", { timestamp: T0 + 9 })]);
  });

  it("keeps edits and the original text", async () => {
    await writer().saveMessages([waiting("a")]);
    await writer().editMessages([anEdit("a", 1)]);
    await writer().postponeMessages([{ id: "a", timestamp: T0 + 9 }]);
    await writer().editMessages([anEdit("a", 2)]);
    expect(await reader().message("a")).toMatchObject({ timestamp: T0 + 9, revision: 2 });
    expect(await reader().messageEdits("a")).toMatchObject([
      { content: "text of a", revision: 0, editedAt: T0 + 9 },
      { revision: 1, editedAt: T0 + 1 },
      { revision: 2, editedAt: T0 + 2 },
    ]);
  });

  it("ignores messages that are sent, removed, or would not move later", async () => {
    await writer().saveRooms([aRoom()]);
    const all = ["sent", "failed", "removed", "later"];
    await writer().saveMessages([
      aMessage("sent"),
      waiting("failed", { delivery: "failed" }),
      waiting("removed"),
      waiting("later", { timestamp: T0 + 9 }),
    ]);
    await writer().removeMessages([{ messageId: "removed", roomId: ROOM, deletedAt: T0 + 3 }]);
    const records = async () => Promise.all(all.map((id) => reader().message(id)));
    const before = await records();
    clock().advance(50);
    await writer().postponeMessages([
      ...["sent", "failed", "removed", "unknown"].map((id) => ({ id, timestamp: T0 + 9 })),
      { id: "later", timestamp: T0 + 9 },
      { id: "later", timestamp: T0 + 8 },
    ]);
    expect(await records()).toEqual(before);
    expect(await reader().message("unknown")).toBeUndefined();
    const then = Math.max(...before.map((record) => record?.updatedAt ?? Number.NaN));
    const since = await reader().messagesSince(ROOM, { limit: 9, after: { updatedAt: then } });
    expect(since?.messages).toEqual([]);
    expect((await history().fullMessages(ROOM, { after: { updatedAt: then }, limit: 9 })).messages).toEqual(
      [],
    );
  });

  it("moves all or none", async () => {
    await writer().saveMessages([waiting("a"), waiting("b")]);
    const half = writer().postponeMessages([
      { id: "a", timestamp: T0 + 1 },
      { id: "b", timestamp: T0 + 1.5 },
    ]);
    await expect(half).rejects.toThrow();
    expect(await reader().message("a")).toMatchObject({ timestamp: T0 });
    expect(await reader().message("b")).toMatchObject({ timestamp: T0 });
  });

  it("makes a message unread again that was before the read position", async () => {
    await writer().saveMessages([
      waiting("a", { mentions: ["user-2"] }),
      aMessage("b", { timestamp: T0 + 5 }),
    ]);
    const from = { after: { timestamp: T0 + 5, id: "b" }, userId: "user-2" };
    expect(await history().unread(GENERAL, from)).toEqual({ messages: 0, mentions: 0, first: null });
    await writer().postponeMessages([{ id: "a", timestamp: T0 + 9 }]);
    expect(await history().unread(GENERAL, from)).toEqual({
      messages: 1,
      mentions: 1,
      first: { timestamp: T0 + 9, id: "a" },
    });
    const whole = await history().unread(GENERAL, { after: null, userId: "user-2" });
    expect(whole).toMatchObject({ messages: 2, mentions: 1, first: { id: "b" } });
  });

  it.each([1, 2])("LA2 keeps the order at every offset: seed %i", async (seed) => {
    const roll = seededRandom(seed);
    await writer().saveRooms([aRoom()]);
    const all = Array.from({ length: 1_500 }, (_, index) => {
      const fields = { timestamp: T0 + roll(700) };
      return roll(3) === 0 ? waiting(`m-${index}`, fields) : aMessage(`m-${index}`, fields);
    });
    await writer().saveMessages(all);
    const places = new Map(all.map((message) => [message.id, message]));
    for (let round = 0; round < 4; round += 1) {
      const chosen = all.filter(({ delivery }) => delivery === "pending" && roll(4) === 0);
      const moves = chosen.map(({ id, timestamp }) => ({ id, timestamp: timestamp + roll(900) }));
      for (const [at, move] of moves.entries()) {
        const known = places.get(move.id) ?? chosen[at];
        if (known && move.timestamp > known.timestamp) places.set(move.id, { ...known, ...move });
      }
      await writer().postponeMessages(moves);
    }
    const expected = [...places.values()].toSorted(byPosition);
    for (let offset = 0; offset < all.length; offset += 41) {
      const page = await reader().messages(ROOM, { limit: 50, from: { offset } });
      expect([offset, page?.total, idsOf(page?.messages ?? [])]).toEqual([
        offset,
        all.length,
        idsOf(expected.slice(offset, offset + 50)),
      ]);
    }
  });
}
