import type { NewMessage } from "@hearth/device";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { Timeline } from "../chat.ts";
import { readKey } from "../reading/read-record.ts";
import { createChatServer } from "../testing/chat-server.ts";
import type { ChatServer } from "../testing/chat-server.ts";
import { ASIDE, GENERAL, ROOM, startedChatter } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";

const T0 = Date.UTC(2026, 0, 1);
const idOf = (index: number): string => `m-${String(index).padStart(5, "0")}`;

const message = (index: number, fields: Partial<NewMessage> = {}): NewMessage => ({
  id: idOf(index),
  ...GENERAL,
  senderId: "ada",
  senderDisplayName: "Ada",
  content: `text ${index}`,
  replyToId: null,
  mentions: [],
  timestamp: T0 + index * 10,
  delivery: "sent",
  clientInstanceId: null,
  ...fields,
});

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const shown = ({ state }: Timeline): readonly string[] => state.getState().messages.map(({ id }) => id);
const expectRange = (timeline: Timeline, from: number, to: number): void =>
  expect(shown(timeline)).toEqual(range(from, to).map(idOf));

describe("a timeline", () => {
  let server: ChatServer;
  let bob: Chatter;
  beforeEach(async () => {
    const clock = createFakeClock();
    server = createChatServer(clock);
    bob = await startedChatter(server, {
      userId: "bob",
      platform: createFakePlatform({ device: createFakeDevice(clock) }),
    });
  });

  const store = async (messages: readonly NewMessage[], isRemovalKind = true): Promise<void> => {
    await bob.store.saveMessages(messages);
    const messageIds = messages.map(({ id }) => id);
    if (isRemovalKind) bob.apply({ kind: "messages", roomId: ROOM, messageIds, isLive: false });
    await bob.settle();
  };
  const readTo = async (index: number): Promise<void> => {
    await bob.store.setMeta(
      readKey(GENERAL),
      JSON.stringify({ timestamp: T0 + index * 10, id: idOf(index) }),
    );
    bob.apply({ kind: "read", roomId: ROOM });
    await bob.settle();
  };
  const opened = async (place = GENERAL): Promise<Timeline> => {
    const timeline = bob.chat.timeline(place);
    await bob.settle();
    return timeline;
  };

  it("is loading first, then an empty channel", async () => {
    const timeline = bob.chat.timeline(ASIDE);
    expect(timeline.state.getState().phase).toBe("loading");
    await bob.settle();
    expect(timeline.state.getState()).toMatchObject({
      ...{ phase: "ready", messages: [], hasOlder: false, hasNewer: false, divider: null },
      unread: { messages: 0, mentions: 0, first: null },
    });
    await timeline.loadOlder();
    await timeline.loadNewer();
    await store([message(1, ASIDE), message(2)]);
    expectRange(timeline, 1, 1);
  });

  it("starts with the newest messages if everything was read", async () => {
    await store(range(1, 200).map((index) => message(index)));
    await readTo(200);
    const timeline = await opened();
    expectRange(timeline, 141, 200);
    expect(timeline.state.getState()).toMatchObject({ hasOlder: true, hasNewer: false, divider: null });
  });

  it("starts around the first unread message, and keeps the divider", async () => {
    await store(range(1, 400).map((index) => message(index)));
    await readTo(100);
    const timeline = await opened();
    expectRange(timeline, 71, 161);
    const divider = { timestamp: T0 + 1010, id: idOf(101) };
    expect(timeline.state.getState()).toMatchObject({ divider, unread: { messages: 100 } });
    timeline.markRead({ timestamp: T0 + 1600, id: idOf(160) });
    await bob.settle();
    expect(timeline.state.getState()).toMatchObject({ divider, unread: { first: { id: idOf(161) } } });
    timeline.release();
    expect((await opened()).state.getState().divider).toEqual({ timestamp: T0 + 1610, id: idOf(161) });
  });

  it("loads pages in both directions, at most 300 messages, without gaps", async () => {
    await store(range(1, 1_000).map((index) => message(index)));
    await readTo(1_000);
    const timeline = await opened();
    await Promise.all([timeline.loadOlder(), timeline.loadOlder()]);
    expectRange(timeline, 881, 1_000);
    for (let times = 0; times < 5; times += 1) await timeline.loadOlder();
    expectRange(timeline, 581, 880);
    expect(timeline.state.getState()).toMatchObject({ hasOlder: true, hasNewer: true });
    await timeline.loadNewer();
    expectRange(timeline, 641, 940);
    await timeline.loadNewer();
    expectRange(timeline, 701, 1_000);
    expect(timeline.state.getState().hasNewer).toBe(false);
    for (let times = 0; times < 20; times += 1) await timeline.loadOlder();
    expectRange(timeline, 1, 300);
    expect(timeline.state.getState().hasOlder).toBe(false);
  });

  it("adds a live message only at the newest end", async () => {
    await store(range(1, 500).map((index) => message(index)));
    await readTo(500);
    const timeline = await opened();
    await store([message(501)]);
    expectRange(timeline, 441, 501);
    for (let times = 0; times < 5; times += 1) await timeline.loadOlder();
    await store([message(502)]);
    expect(shown(timeline).at(-1)).not.toBe(idOf(502));
    await timeline.jumpToNewest();
    expectRange(timeline, 443, 502);
  });

  it("places a late message, or leaves it to the page that contains it", async () => {
    await store(
      range(1, 200)
        .filter((index) => index !== 150 && index !== 50)
        .map((index) => message(index)),
    );
    await readTo(200);
    const timeline = await opened();
    await store([message(150), message(50)]);
    expectRange(timeline, 140, 200);
    while (timeline.state.getState().hasOlder) await timeline.loadOlder();
    expectRange(timeline, 1, 200);
  });

  it("drops messages that moved beyond its end, and shows the newest if none is left", async () => {
    const waiting = range(1, 300);
    await store(waiting.map((index) => message(index, { senderId: "bob", delivery: "pending" })));
    await store(range(301, 400).map((index) => message(index)));
    await readTo(400);
    const timeline = await opened();
    while (timeline.state.getState().hasOlder) await timeline.loadOlder();
    expectRange(timeline, 1, 300);
    const postpone = async (some: readonly number[]): Promise<void> => {
      const places = some.map((index) => ({ id: idOf(index), timestamp: T0 + 10_000 + index }));
      await bob.store.postponeMessages(places);
      const messageIds = places.map(({ id }) => id);
      bob.apply({ kind: "messages", roomId: ROOM, messageIds, isLive: false });
      await bob.settle();
    };
    await postpone([1, 150]);
    expect(shown(timeline)).toEqual([...range(2, 149), ...range(151, 300)].map(idOf));
    expect(timeline.state.getState()).toMatchObject({ hasOlder: false, hasNewer: true });
    await postpone(waiting);
    expectRange(timeline, 241, 300);
    expect(timeline.state.getState()).toMatchObject({ hasOlder: true, hasNewer: false });
  });

  it("jumps to a stored message", async () => {
    await store(range(1, 500).map((index) => message(index)));
    await readTo(500);
    const timeline = await opened();
    expect(await timeline.jumpTo(idOf(20))).toBe(true);
    expectRange(timeline, 1, 80);
    expect(timeline.state.getState()).toMatchObject({ hasOlder: false, hasNewer: true });
    expect(await timeline.jumpTo("unknown")).toBe(false);
    await store([message(900, ASIDE)]);
    expect(await timeline.jumpTo(idOf(900))).toBe(false);
    expectRange(timeline, 1, 80);
    const before = timeline.state.getState().messages;
    expect(await timeline.jumpTo(idOf(21))).toBe(true);
    expect(timeline.state.getState().messages).toBe(before);
    await timeline.jumpToFirstUnread();
    expectRange(timeline, 441, 500);
  });

  it("shows the details of a message and follows their changes", async () => {
    await store([message(1), message(2, { replyToId: idOf(1) }), message(3)]);
    const attachment = { id: "file", messageId: idOf(3), roomId: ROOM, filename: "leaf.png", size: 1 };
    const file = { ...attachment, mime: "image/png", hash: "ab", createdAt: T0, localPath: null };
    await bob.store.saveAttachments([file]);
    await bob.chat.react(idOf(3), "🌱", true);
    const timeline = await opened();
    expect(timeline.state.getState().messages).toMatchObject([
      { repliesTo: null, reactions: [], attachments: [], problem: null },
      { repliesTo: { id: idOf(1), senderDisplayName: "Ada", content: "text 1", deletedAt: null } },
      { reactions: [{ emoji: "🌱", userId: "bob" }], attachments: [{ filename: "leaf.png" }] },
    ]);
    const [, , last] = timeline.state.getState().messages;
    const edit = { messageId: idOf(1), roomId: ROOM, content: "corrected", revision: 1, editedAt: T0 };
    await bob.store.editMessages([edit]);
    bob.apply({ kind: "messages", roomId: ROOM, messageIds: [idOf(1)], isLive: true });
    await bob.settle();
    expect(timeline.state.getState().messages).toMatchObject([
      { content: "corrected", revision: 1 },
      { repliesTo: { content: "corrected" } },
      {},
    ]);
    expect(timeline.state.getState().messages[2]).toBe(last);
    await bob.chat.react(idOf(3), "🌱", false);
    await bob.settle();
    expect(timeline.state.getState().messages[2]?.reactions).toEqual([]);
  });

  it("ignores events after its release", async () => {
    await store([message(1)]);
    const timeline = await opened();
    timeline.release();
    await store([message(2)]);
    await timeline.loadOlder();
    expectRange(timeline, 1, 1);
  });

  it("reports a failed load, and recovers", async () => {
    await store(range(1, 3).map((index) => message(index)));
    const working = { ...bob.store };
    const broken = async (): Promise<never> => Promise.reject(new ClientProblem("STORAGE_FAILED"));
    Object.assign(bob.store, { messagesBefore: broken });
    await readTo(3);
    const timeline = await opened();
    expect(timeline.state.getState().phase).toBe("failed");
    await expect(timeline.jumpToNewest()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    Object.assign(bob.store, working);
    await timeline.jumpToNewest();
    expectRange(timeline, 1, 3);
    expect(timeline.state.getState().phase).toBe("ready");
  });
});
