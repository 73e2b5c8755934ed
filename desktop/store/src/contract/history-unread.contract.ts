import { expect, it } from "@jest/globals";
import { ROOM, T0, aMessage, anEdit } from "./device-records.contract.ts";
import type { MessagePosition } from "../device-store.ts";
import type { ChannelRef, UnreadCount } from "../history.ts";
import { GENERAL, OTHER, WHOLE } from "./history-records.contract.ts";
import type { HistoryUnderTest } from "./history-records.contract.ts";

const ME = "user-me";

export function historyUnreadSuite(store: () => HistoryUnderTest): void {
  const writer = () => store().writer;
  const unread = (
    after: MessagePosition | null = null,
    channel: ChannelRef = GENERAL,
  ): Promise<UnreadCount> => store().history.unread(channel, { after, userId: ME });
  const at = (timestamp: number, id: string): MessagePosition => ({ timestamp, id });

  it("count messages and mentions of others after a position", async () => {
    await writer().saveMessages([
      aMessage("a"),
      aMessage("b", { mentions: [ME] }),
      aMessage("c", { timestamp: T0 + 1, mentions: ["user-2", ME, "user-3"] }),
      aMessage("d", { timestamp: T0 + 2, mentions: ["user-2"] }),
    ]);
    expect(await unread()).toEqual({ messages: 4, mentions: 2, first: at(T0, "a") });
    expect(await unread(at(T0, "a"))).toEqual({ messages: 3, mentions: 2, first: at(T0, "b") });
    expect(await unread(at(T0, "b"))).toEqual({ messages: 2, mentions: 1, first: at(T0 + 1, "c") });
    expect(await unread(at(T0 + 1, ""))).toEqual({ messages: 2, mentions: 1, first: at(T0 + 1, "c") });
    expect(await unread(at(T0 + 1, "c"))).toEqual({ messages: 1, mentions: 0, first: at(T0 + 2, "d") });
    expect(await unread(at(T0 + 2, "d"))).toEqual({ messages: 0, mentions: 0, first: null });
  });

  it("count neither own messages nor removed ones", async () => {
    await writer().saveMessages([
      aMessage("a", { senderId: ME, mentions: [ME] }),
      aMessage("b", { mentions: [ME] }),
      aMessage("c", { timestamp: T0 + 1, delivery: "pending", senderId: ME }),
      aMessage("d", { timestamp: T0 + 2 }),
    ]);
    await writer().removeMessages([{ messageId: "b", roomId: ROOM, deletedAt: T0 + 5 }]);
    expect(await unread()).toEqual({ messages: 1, mentions: 0, first: at(T0 + 2, "d") });
    await writer().editMessages([anEdit("d", 1)]);
    expect(await unread()).toMatchObject({ messages: 1 });
  });

  it("AB12 do not count messages of blocked users, however many", async () => {
    const blocked = Array.from({ length: 350 }, (_, index) =>
      aMessage(`m-${index}`, { senderId: "mallory", timestamp: T0 + index, mentions: [ME] }),
    );
    await writer().saveMessages([
      ...blocked,
      aMessage("x", { timestamp: T0 + 900, mentions: [ME] }),
      aMessage("y", { timestamp: T0 + 901 }),
    ]);
    const counted = (without: readonly string[]) =>
      store().history.unread(GENERAL, { after: null, userId: ME, without });
    expect(await counted(["eve", "mallory"])).toEqual({ messages: 2, mentions: 1, first: at(T0 + 900, "x") });
    expect(await counted(["eve"])).toEqual({ messages: 100, mentions: 100, first: at(T0, "m-0") });
  });

  it("are counted per channel, and apart for the room without channels", async () => {
    await writer().saveMessages([
      aMessage("a"),
      aMessage("b", { channelId: "channel-2", mentions: [ME] }),
      aMessage("c", { channelId: "channel-2" }),
      aMessage("d", { channelId: null, mentions: [ME] }),
      aMessage("e", { roomId: "room-2", mentions: [ME] }),
    ]);
    expect(await unread()).toEqual({ messages: 1, mentions: 0, first: at(T0, "a") });
    expect(await unread(null, OTHER)).toEqual({ messages: 2, mentions: 1, first: at(T0, "b") });
    expect(await unread(null, WHOLE)).toEqual({ messages: 1, mentions: 1, first: at(T0, "d") });
  });

  it("stop at 100, and miss no mention after the hundredth message", async () => {
    const messages = Array.from({ length: 350 }, (_, index) =>
      aMessage(`m-${index}`, {
        timestamp: T0 + index,
        mentions: index < 220 ? [] : [ME],
        senderId: index === 0 ? ME : "user-1",
      }),
    );
    await writer().saveMessages(messages);
    expect(await unread()).toEqual({ messages: 100, mentions: 100, first: at(T0 + 1, "m-1") });
    expect(await unread(at(T0 + 249, "m-249"))).toMatchObject({ messages: 100, mentions: 100 });
    expect(await unread(at(T0 + 250, "m-250"))).toMatchObject({ messages: 99, mentions: 99 });
    await writer().removeMessages(
      messages.slice(221, 349).map(({ id }) => ({ messageId: id, roomId: ROOM, deletedAt: T0 + 999 })),
    );
    expect(await unread()).toMatchObject({ messages: 100, mentions: 2 });
  });
}
