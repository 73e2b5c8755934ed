import { expect, it } from "@jest/globals";
import type { ManualClock } from "@hearth/runtime/testing";
import { ROOM, T0, aMessage, aReaction, aRoom, anEdit } from "./device-records.contract.ts";
import { allFullMessages } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

export function historyFullMessagesSuite(store: () => HistoryUnderTest, clock: () => ManualClock): void {
  const writer = () => store().writer;
  const fullMessages = (after: number, limit = 50) =>
    store().history.fullMessages(ROOM, { after: { updatedAt: after }, limit });
  const told = async (after: number): Promise<string[]> =>
    (await fullMessages(after)).messages.map(({ message }) => message.id);

  it("contain the original text, edits, removal and latest reactions", async () => {
    const full = aMessage("c", { replyToId: "a", mentions: ["user-2"], channelId: null, delivery: "failed" });
    const words = [
      aReaction("b", { at: T0 + 1, emoji: ":leaf:", present: false }),
      aReaction("b", { userId: "user-1" }),
      aReaction("b"),
    ];
    await writer().saveMessages([aMessage("a")]);
    await writer().editMessages([anEdit("b", 2), anEdit("b", 1, { content: "\u{1F331}" }), anEdit("a", 1)]);
    await writer().saveMessages([aMessage("b"), full]);
    await writer().changeReactions([...words.toReversed(), aReaction("a")]);
    await writer().changeReactions([aReaction("b", { at: T0, emoji: ":leaf:" })]);
    await writer().removeMessages([{ messageId: "a", roomId: ROOM, deletedAt: T0 + 7 }]);
    const { messages: all, next } = await fullMessages(0);
    expect(next).toBeNull();
    expect(all).toHaveLength(3);
    expect(all).toEqual(
      expect.arrayContaining([
        { message: { ...aMessage("a"), content: "" }, edits: [], deletedAt: T0 + 7, reactions: [] },
        {
          message: aMessage("b"),
          edits: [anEdit("b", 1, { content: "\u{1F331}" }), anEdit("b", 2)],
          deletedAt: null,
          reactions: words,
        },
        { message: full, edits: [], deletedAt: null, reactions: [] },
      ]),
    );
  });

  it("begin after a time, for one room only", async () => {
    await writer().saveMessages([aMessage("a"), aMessage("z", { roomId: "room-2" })]);
    const then = clock().now();
    clock().advance(5);
    await writer().saveMessages([aMessage("b")]);
    expect(await told(0)).toEqual(["a", "b"]);
    expect(await told(then - 1)).toEqual(["a", "b"]);
    expect(await told(then)).toEqual(["b"]);
    expect(await told(clock().now())).toEqual([]);
    expect(await fullMessages(0)).toMatchObject({ next: null });
    const elsewhere = await store().history.fullMessages("nowhere", { after: { updatedAt: 0 }, limit: 5 });
    expect(elsewhere).toEqual({ messages: [], next: null });
  });

  it("come again, at a new position, after any change, but not after a repetition", async () => {
    const changes: readonly (() => Promise<void>)[] = [
      () => writer().changeReactions([aReaction("a")]),
      () => writer().changeReactions([aReaction("a", { at: T0 + 1, present: false })]),
      () => writer().editMessages([anEdit("a", 3)]),
      () => writer().editMessages([anEdit("a", 1)]),
      () => writer().saveMessages([aMessage("a", { delivery: "sent" })]),
      () => writer().removeMessages([{ messageId: "a", roomId: ROOM, deletedAt: T0 + 9 }]),
      () => writer().removeMessages([{ messageId: "a", roomId: ROOM, deletedAt: T0 + 8 }]),
    ];
    await writer().saveMessages([aMessage("a", { delivery: "pending" }), aMessage("b"), aMessage("c")]);
    expect(await told(0)).toEqual(["a", "b", "c"]);
    for (const [index, change] of changes.entries()) {
      clock().advance(10);
      const before = clock().now();
      clock().advance(10);
      await change();
      expect([index, await told(before)]).toEqual([index, ["a"]]);
      expect(await told(0)).toEqual(["b", "c", "a"]);
      clock().advance(10);
      const after = clock().now();
      clock().advance(10);
      await change();
      expect([index, await told(after)]).toEqual([index, []]);
    }
  });

  it("do not change the record's time if the record is the same", async () => {
    await writer().saveMessages([aMessage("a", { delivery: "pending" })]);
    await writer().editMessages([anEdit("a", 2)]);
    const record = await store().reader.message("a");
    clock().advance(50);
    await writer().changeReactions([aReaction("a")]);
    await writer().editMessages([anEdit("a", 1)]);
    await writer().saveMessages([aMessage("a")]);
    expect(await store().reader.message("a")).toEqual({ ...record, delivery: "sent" });
  });

  it("page through simultaneous changes without losing or repeating one", async () => {
    await writer().saveRooms([aRoom()]);
    for (let batch = 0; batch < 4; batch += 1) {
      const count = [1, 7, 12, 3][batch] ?? 0;
      await writer().saveMessages(
        Array.from({ length: count }, (_, index) =>
          aMessage(`${["z", "\u{1F331}", "\u{FFFD}", "a"][batch]}-${index}`),
        ),
      );
    }
    const whole = (await fullMessages(0)).messages;
    expect(whole).toHaveLength(23);
    for (const limit of [1, 2, 5, 7, 22, 23, 24]) {
      expect([limit, await allFullMessages(store().history, { updatedAt: 0 }, limit)]).toEqual([
        limit,
        whole,
      ]);
    }
  });

  it("continue if the last message of a page has changed meanwhile", async () => {
    await writer().saveMessages(["a", "b", "c", "d"].map((id) => aMessage(id)));
    const { messages: first, next } = await fullMessages(0, 2);
    expect(first.map(({ message }) => message.id)).toEqual(["a", "b"]);
    clock().advance(5);
    await writer().changeReactions([aReaction("b")]);
    const rest = await allFullMessages(store().history, next ?? { updatedAt: Number.NaN }, 2);
    expect(rest.map(({ message }) => message.id)).toEqual(["c", "d", "b"]);
  });
}
