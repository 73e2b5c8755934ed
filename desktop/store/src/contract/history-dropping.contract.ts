import { expect, it } from "@jest/globals";
import { ROOM, T0, aMessage, aReaction, aRoom, anAttachment, anEdit } from "./device-records.contract.ts";
import { GENERAL, idsOf } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

export function historyDroppingSuite(store: () => HistoryUnderTest): void {
  const numbered = (count: number, roomId = ROOM) =>
    Array.from({ length: count }, (_, index) =>
      aMessage(`${roomId.slice(-4)}-${String(index).padStart(4, "0")}`, { roomId, timestamp: T0 + index }),
    );

  it("removes the oldest messages of a room, and counts the rest", async () => {
    const { writer, reader, history } = store();
    await writer.saveRooms([aRoom(), aRoom({ id: "room-2" })]);
    const [mine, other] = [numbered(1_500), numbered(3, "room-2")];
    await writer.saveMessages([...mine, ...other]);
    const last = mine[1_199];
    if (last === undefined) throw new Error("There are enough messages");
    await writer.dropMessages(ROOM, { timestamp: last.timestamp, id: last.id });
    const rest = idsOf(mine.slice(1_200));
    const first = await reader.messages(ROOM, { limit: 200, from: { offset: 0 } });
    expect([idsOf(first?.messages ?? []), first?.total]).toEqual([rest.slice(0, 200), 300]);
    const second = await reader.messages(ROOM, { limit: 200, from: { offset: 200 } });
    expect(idsOf(second?.messages ?? [])).toEqual(rest.slice(200));
    const older = await history.messagesBefore(GENERAL, { limit: 500, before: null });
    expect([idsOf(older.messages), older.hasMore]).toEqual([rest, false]);
    expect((await reader.messages("room-2", { limit: 9, from: { offset: 0 } }))?.total).toBe(3);
    await writer.saveMessages([aMessage("newest", { timestamp: T0 + 9_999 })]);
    expect((await reader.messages(ROOM, { limit: 1, from: { offset: 300 } }))?.messages).toMatchObject([
      { id: "newest" },
    ]);
  });

  it("removes what belongs to them, and keeps unsent messages", async () => {
    const { writer, reader, history } = store();
    await writer.saveRooms([aRoom()]);
    await writer.saveMessages([
      aMessage("old"),
      aMessage("waits", { delivery: "pending" }),
      aMessage("new", { timestamp: T0 + 5 }),
    ]);
    await writer.editMessages([anEdit("old", 1)]);
    await writer.changeReactions([aReaction("old"), aReaction("new")]);
    await writer.saveAttachments([anAttachment("file", { messageId: "old" })]);
    await writer.dropMessages(ROOM, { timestamp: T0 + 4, id: "z" });
    expect([await reader.message("old"), await reader.attachments()]).toEqual([undefined, []]);
    expect(idsOf(await history.undelivered())).toEqual(["waits"]);
    expect(await reader.reactions("new")).toHaveLength(1);
    await writer.saveMessages([aMessage("old")]);
    expect(await reader.message("old")).toMatchObject({ revision: 0 });
    expect(await reader.reactions("old")).toEqual([]);
  });
}
