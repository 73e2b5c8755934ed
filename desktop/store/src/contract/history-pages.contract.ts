import type { NewMessage } from "@hearth/device";
import { expect, it } from "@jest/globals";
import { ROOM, T0, aMessage, aRoom, anEdit, seededRandom, shuffled } from "./device-records.contract.ts";
import type { ChannelRef } from "../history.ts";
import { GENERAL, OTHER, WHOLE, byPosition, idsOf, positionOf } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

/** Messages of three channels in one room. Times are few, so that many are equal. */
function talk(seed: number, count: number): NewMessage[] {
  const roll = seededRandom(seed);
  const channels = [GENERAL.channelId, OTHER.channelId, WHOLE.channelId];
  return Array.from({ length: count }, (_, index) =>
    aMessage(`m-${roll(1_000)}-${index}${["", "\u{FFFD}", "\u{1F331}"][roll(3)] ?? ""}`, {
      channelId: channels[roll(3)] ?? null,
      timestamp: T0 + roll(count / 3),
    }),
  );
}

const ofPlace = (messages: readonly NewMessage[], { channelId }: ChannelRef): NewMessage[] =>
  messages.filter((message) => message.channelId === channelId).toSorted(byPosition);

export function historyPagesSuite(store: () => HistoryUnderTest): void {
  const writer = () => store().writer;
  const history = () => store().history;

  it.each([1, 2, 3])("go both ways through each channel by (timestamp, id): seed %i", async (seed) => {
    const all = talk(seed, 150);
    await writer().saveRooms([aRoom(), aRoom({ id: "room-2" })]);
    for (const message of shuffled(all, seededRandom(seed))) await writer().saveMessages([message]);
    await writer().saveMessages(
      all.map((message) => ({ ...message, id: `${message.id}-2`, roomId: "room-2" })),
    );
    for (const channel of [GENERAL, OTHER, WHOLE]) {
      const expected = ofPlace(all, channel);
      const roll = seededRandom(seed);
      for (let round = 0; round < 20; round += 1) {
        const limit = 1 + roll(20);
        const at = roll(expected.length);
        const position = positionOf(expected[at] ?? { timestamp: 0, id: "" });
        const before = await history().messagesBefore(channel, { limit, before: position });
        expect(idsOf(before.messages)).toEqual(idsOf(expected.slice(Math.max(0, at - limit), at)));
        expect(before.hasMore).toBe(at > limit);
        const after = await history().messagesAfter(channel, { limit, after: position });
        expect(idsOf(after.messages)).toEqual(idsOf(expected.slice(at + 1, at + 1 + limit)));
        expect(after.hasMore).toBe(at + 1 + limit < expected.length);
      }
      const newest = await history().messagesBefore(channel, { limit: 7, before: null });
      expect(idsOf(newest.messages)).toEqual(idsOf(expected.slice(-7)));
      const whole = await history().messagesBefore(channel, { limit: expected.length, before: null });
      expect([idsOf(whole.messages), whole.hasMore]).toEqual([idsOf(expected), false]);
    }
  });

  it("may start at a position without a message", async () => {
    await writer().saveMessages([
      aMessage("a", { timestamp: T0 }),
      aMessage("c", { timestamp: T0 }),
      aMessage("d", { timestamp: T0 + 2 }),
    ]);
    const pageBefore = async (timestamp: number, id: string) =>
      idsOf((await history().messagesBefore(GENERAL, { limit: 9, before: { timestamp, id } })).messages);
    const pageAfter = async (timestamp: number, id: string) =>
      idsOf((await history().messagesAfter(GENERAL, { limit: 9, after: { timestamp, id } })).messages);
    expect(await pageBefore(T0, "b")).toEqual(["a"]);
    expect(await pageAfter(T0, "b")).toEqual(["c", "d"]);
    expect(await pageBefore(T0 + 1, "")).toEqual(["a", "c"]);
    expect(await pageAfter(T0 + 1, "")).toEqual(["d"]);
    expect(await pageBefore(T0, "")).toEqual([]);
    expect(await pageAfter(T0 + 3, "")).toEqual([]);
  });

  it("are empty for an unknown channel", async () => {
    const nothing = { messages: [], hasMore: false };
    const nowhere = { roomId: "nowhere", channelId: "channel-1" };
    expect(await history().messagesBefore(nowhere, { limit: 5, before: null })).toEqual(nothing);
    expect(await history().messagesAfter(nowhere, { limit: 5, after: { timestamp: 0, id: "" } })).toEqual(
      nothing,
    );
    const unread = await history().unread(nowhere, { after: null, userId: "user-me" });
    expect(unread).toEqual({ messages: 0, mentions: 0, first: null });
    expect(await history().searchMessages({ text: "text", limit: 5 })).toEqual([]);
    expect(await history().undelivered()).toEqual([]);
  });

  it("contain removed messages, and changes that came before their message", async () => {
    await writer().editMessages([anEdit("b", 2), anEdit("b", 1)]);
    await writer().removeMessages([{ messageId: "a", roomId: ROOM, deletedAt: T0 + 9 }]);
    await writer().saveMessages([aMessage("c"), aMessage("b"), aMessage("a")]);
    await writer().removeMessages([{ messageId: "c", roomId: ROOM, deletedAt: T0 + 8 }]);
    const { messages } = await history().messagesBefore(GENERAL, { limit: 9, before: null });
    expect(messages).toMatchObject([
      { id: "a", content: "", deletedAt: T0 + 9 },
      { id: "b", content: "revision 2 of b", revision: 2, editedAt: T0 + 2, deletedAt: null },
      { id: "c", content: "", deletedAt: T0 + 8 },
    ]);
    for (const message of messages) expect(await store().reader.message(message.id)).toEqual(message);
  });

  it("are empty after the room is removed", async () => {
    await writer().saveRooms([aRoom()]);
    await writer().saveMessages([aMessage("a", { delivery: "pending", mentions: ["user-me"] })]);
    await writer().removeRoom(ROOM);
    expect((await history().messagesBefore(GENERAL, { limit: 5, before: null })).messages).toEqual([]);
    expect(await history().unread(GENERAL, { after: null, userId: "user-me" })).toMatchObject({
      messages: 0,
    });
    expect(await history().undelivered()).toEqual([]);
    expect(await history().searchMessages({ text: "text", limit: 5 })).toEqual([]);
    expect((await history().fullMessages(ROOM, { after: { updatedAt: 0 }, limit: 5 })).messages).toEqual([]);
  });

  it("list unsent messages, oldest first, until they are sent or removed", async () => {
    const outgoing = { roomId: "room-2", channelId: null, senderId: "user-me" };
    await writer().saveMessages([
      aMessage("d", { ...outgoing, delivery: "failed", timestamp: T0 + 3 }),
      aMessage("c", { delivery: "pending", timestamp: T0 + 3 }),
      aMessage("b", { delivery: "pending", timestamp: T0 + 4 }),
      aMessage("a", { delivery: "sent" }),
    ]);
    expect(await history().undelivered()).toMatchObject([
      { id: "c", delivery: "pending" },
      { id: "d", delivery: "failed" },
      { id: "b", delivery: "pending" },
    ]);
    await writer().saveMessages([aMessage("c")]);
    await writer().removeMessages([{ messageId: "d", roomId: "room-2", deletedAt: T0 + 5 }]);
    await writer().editMessages([anEdit("b", 1)]);
    expect(await history().undelivered()).toMatchObject([{ id: "b", revision: 1 }]);
  });
}
