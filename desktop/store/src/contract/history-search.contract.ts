import { expect, it } from "@jest/globals";
import { ROOM, T0, aMessage, aRoom, anEdit } from "./device-records.contract.ts";
import { idsOf } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

export function historySearchSuite(store: () => HistoryUnderTest): void {
  const writer = () => store().writer;
  const found = async (text: string, roomId?: string, limit = 50): Promise<string[]> => {
    const query = { text, limit, ...(roomId === undefined ? {} : { roomId }) };
    return idsOf(await store().history.searchMessages(query));
  };

  it("finds every word anywhere, ignoring case and accents", async () => {
    await writer().saveMessages([
      aMessage("a", { content: "Der GRÜNE Garten\nist groß" }),
      aMessage("b", { content: "grune Gärten" }),
      aMessage("c", { content: "100% of_it" }),
    ]);
    expect(await found("grüne garten")).toEqual(["b", "a"]);
    expect(await found("GROSS der")).toEqual(["a"]);
    expect(await found("art")).toEqual(["b", "a"]);
    expect(await found("grune nothing")).toEqual([]);
    for (const plain of ["100%", "of_it", "%", "_"]) expect(await found(plain)).toEqual(["c"]);
    for (const nothing of ["", "   ", "\n"]) expect(await found(nothing)).toEqual([]);
  });

  it("AB12 omits blocked users in rooms of their instance", async () => {
    const away = "https://away.example";
    await writer().saveRooms([aRoom(), aRoom({ id: "room-2", signalServerUrl: away })]);
    const tea = Array.from({ length: 600 }, (_, index) =>
      aMessage(`m-${index}`, { content: "tea", senderId: "mallory", timestamp: T0 + 1 + index }),
    );
    await writer().saveMessages([
      ...tea,
      aMessage("old", { content: "tea" }),
      aMessage("there", { content: "tea", senderId: "mallory", roomId: "room-2" }),
    ]);
    const query = {
      text: "tea",
      limit: 5,
      without: [{ signalServerUrl: aRoom().signalServerUrl, userId: "mallory" }],
    };
    expect(idsOf(await store().history.searchMessages(query))).toEqual(["there", "old"]);
    expect(idsOf(await store().history.searchMessages({ ...query, roomId: ROOM }))).toEqual(["old"]);
  });

  it("returns whole messages, newest first, of all rooms or one, up to the limit", async () => {
    const messages = Array.from({ length: 30 }, (_, index) =>
      aMessage(`m-${10 + index}`, {
        content: index % 3 === 0 ? "tea" : "coffee",
        roomId: index % 2 === 0 ? ROOM : "room-2",
        channelId: index % 5 === 0 ? null : "channel-1",
        timestamp: T0 + Math.floor(index / 7),
      }),
    );
    await writer().saveMessages(messages);
    const newest = messages.filter(({ content }) => content === "tea").toReversed();
    expect(await found("tea")).toEqual(idsOf(newest));
    expect(await found("tea", undefined, 4)).toEqual(idsOf(newest.slice(0, 4)));
    const here = newest.filter(({ roomId }) => roomId === ROOM);
    expect(await found("tea", ROOM)).toEqual(idsOf(here));
    expect(await found("tea", ROOM, 2)).toEqual(idsOf(here.slice(0, 2)));
    expect(await found("tea", "nowhere")).toEqual([]);
    const [first] = await store().history.searchMessages({ text: "tea", limit: 1 });
    expect(first).toEqual(await store().reader.message("m-37"));
  });

  it("searches the current text, and no removed messages", async () => {
    await writer().saveMessages([aMessage("a", { content: "first" }), aMessage("b", { content: "first" })]);
    await writer().editMessages([anEdit("a", 1, { content: "second" })]);
    await writer().removeMessages([{ messageId: "b", roomId: ROOM, deletedAt: T0 }]);
    expect(await found("first")).toEqual([]);
    expect(await found("second")).toEqual(["a"]);
  });

  it("scans more messages than it reads at once", async () => {
    const messages = Array.from({ length: 1_200 }, (_, index) =>
      aMessage(`m-${index}`, { content: index % 500 === 7 ? "needle" : "hay", timestamp: T0 + index }),
    );
    await writer().saveMessages(messages);
    expect(await found("needle")).toEqual(["m-1007", "m-507", "m-7"]);
    expect(await found("needle", ROOM, 2)).toEqual(["m-1007", "m-507"]);
  });
}
