import { expect, it } from "@jest/globals";
import type { ManualClock } from "@hearth/runtime/testing";
import {
  ROOM,
  T0,
  aBan,
  aCredential,
  aMembership,
  aMessage,
  aProfile,
  aReaction,
  aRoom,
  aUser,
  anAttachment,
  anEdit,
  anEmoji,
} from "./device-records.contract.ts";
import { GENERAL } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

const LOCAL = { pluginId: "p", key: "k", scope: "local", serverId: null } as const;

async function fill({ writer }: HistoryUnderTest): Promise<void> {
  await writer.saveProfile(aProfile());
  await writer.saveRooms([aRoom(), aRoom({ id: "room-2" })]);
  await writer.removeRoom("room-2");
  await writer.saveUsers([aUser("user-1")]);
  await writer.saveRoomUsers([aMembership("user-1")]);
  await writer.saveBans([aBan("user-2")]);
  await writer.saveFriends([{ userId: "user-1", addedAt: T0 }]);
  await writer.saveMessages([aMessage("a", { delivery: "pending" }), aMessage("gone")]);
  await writer.editMessages([anEdit("a", 1), anEdit("early", 1)]);
  await writer.removeMessages(
    ["gone", "never"].map((messageId) => ({ messageId, roomId: ROOM, deletedAt: T0 })),
  );
  await writer.changeReactions([aReaction("a"), aReaction("early")]);
  await writer.saveAttachments([anAttachment("file", { messageId: "a" })]);
  await writer.saveEmoji([anEmoji("leaf")]);
  await writer.savePluginData([{ ...LOCAL, value: 1 }]);
  await writer.setMeta("draft:room-1/", "text");
  await writer.saveCredential(aCredential("https://a.example"));
}

/** Everything that can be read from a filled store. */
const everything = ({ reader, history }: HistoryUnderTest): Promise<unknown[]> =>
  Promise.all([
    reader.profile(),
    reader.rooms(),
    reader.roomUsers(ROOM),
    reader.bans(ROOM, T0),
    reader.user("user-1"),
    reader.friends(),
    reader.message("a"),
    reader.messages(ROOM, { limit: 9, from: { offset: 0 } }),
    reader.reactions("a"),
    reader.attachments(),
    reader.emoji(),
    reader.pluginDatum(LOCAL),
    reader.meta("draft:room-1/"),
    reader.credentials(),
    history.messagesBefore(GENERAL, { limit: 9, before: null }),
    history.fullMessages(ROOM, { after: { updatedAt: 0 }, limit: 9 }),
    history.searchMessages({ text: "text", limit: 9 }),
    history.undelivered(),
    history.unread(GENERAL, { after: null, userId: "user-me" }),
    history.removals(),
    history.metaEntries(""),
  ]);

export function historyKeepingSuite(
  store: () => HistoryUnderTest,
  another: () => Promise<HistoryUnderTest>,
  clock: () => ManualClock,
): void {
  const writer = () => store().writer;
  const history = () => store().history;

  it("lists the removals of rooms, friends and emoji with their times", async () => {
    expect(await history().removals()).toEqual([]);
    await writer().saveRooms([aRoom({ joinedAt: T0 + 4 })]);
    await writer().removeRoom(ROOM);
    await writer().removeRoom("never there", T0 + 1);
    await writer().removeRoom("never there");
    await writer().removeFriend("user-2", T0 + 2);
    await writer().removeFriend("user-2", T0 + 1);
    await writer().removeEmoji("leaf", T0 + 3);
    await writer().removeRoomUser(ROOM, "user-2", T0);
    await writer().removeBan(ROOM, "user-2", T0);
    const expected = [
      { kind: "emoji", id: "leaf", at: T0 + 3 },
      { kind: "friend", id: "user-2", at: T0 + 2 },
      { kind: "room", id: "never there", at: T0 + 1 },
      { kind: "room", id: ROOM, at: T0 + 4 },
    ];
    expect(await history().removals()).toEqual(expected);
    await writer().saveFriends([{ userId: "user-2", addedAt: T0 + 9 }]);
    expect(await history().removals()).toEqual(expected);
  });

  it("keeps a removal that is older than the record it names", async () => {
    await writer().saveRooms([aRoom({ joinedAt: T0 + 4 })]);
    await writer().removeRoom(ROOM, T0 + 3);
    expect(await store().reader.room(ROOM)).toBeDefined();
    expect(await history().removals()).toEqual([{ kind: "room", id: ROOM, at: T0 + 3 }]);
  });

  it("lists meta records by a literal prefix, without secrets", async () => {
    const keys = [
      "read:a/",
      "read:a/b",
      "read:",
      "read",
      "Read:a",
      "r%:x",
      "r_:x",
      "read:\u{FFFD}",
      "read:\u{1F331}",
      "sync-queue:2",
    ];
    for (const key of keys) await writer().setMeta(key, `value of ${key}`);
    const of = async (prefix: string): Promise<string[]> =>
      (await history().metaEntries(prefix)).map(({ key, value }) => {
        expect(value).toBe(`value of ${key}`);
        return key;
      });
    expect(await of("read:")).toEqual(["read:", "read:a/", "read:a/b", "read:\u{FFFD}", "read:\u{1F331}"]);
    expect(await of("read:a/b")).toEqual(["read:a/b"]);
    expect(await of("r%")).toEqual(["r%:x"]);
    expect(await of("r_")).toEqual(["r_:x"]);
    expect(await of("nothing")).toEqual([]);
    expect((await of("")).toSorted()).toEqual(keys.toSorted());
    await writer().removeMeta("read:a/");
    await writer().setMeta("read:a/b", "value of read:a/b");
    expect(await of("read:a")).toEqual(["read:a/b"]);
    await expect(writer().setMeta("read:authToken", "x")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await of("read:auth")).toEqual([]);
  });

  it("erases everything, including waiting changes and removals", async () => {
    await fill(store());
    await store().eraseAll();
    const untouched = await another();
    const nothing = await everything(untouched);
    expect(await everything(store())).toEqual(nothing);
    await writer().saveRooms([aRoom(), aRoom({ id: "room-2" })]);
    await writer().saveMessages([aMessage("early"), aMessage("never"), aMessage("gone")]);
    expect(await store().reader.rooms()).toHaveLength(2);
    for (const id of ["early", "never", "gone"]) {
      expect(await store().reader.message(id)).toMatchObject({ content: `text of ${id}`, deletedAt: null });
      expect(await store().reader.reactions(id)).toEqual([]);
    }
    untouched.close();
  });

  it("can be erased twice, works afterwards, and dates no change before an earlier one", async () => {
    await fill(store());
    const before = (await store().reader.message("a"))?.updatedAt ?? Number.NaN;
    clock().advance(-1_000);
    await store().eraseAll();
    await store().eraseAll();
    await fill(store());
    const after = (await store().reader.message("a"))?.updatedAt ?? Number.NaN;
    expect(after).toBeGreaterThan(before);
    expect(await history().removals()).toEqual([{ kind: "room", id: "room-2", at: T0 + 1 }]);
  });
}
