import type { NewMessage } from "@hearth/device";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import { channelKey } from "../chat.ts";
import type { ChannelActivity } from "../chat.ts";
import { advanceReadRecord, parseReadRecord, readKey } from "./read-record.ts";
import { createChatServer } from "../testing/chat-server.ts";
import type { ChatServer } from "../testing/chat-server.ts";
import {
  ASIDE,
  GENERAL,
  ROOM,
  accountsOf,
  chatRoomRecord,
  createChatter,
  startedChatter,
} from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";

const T0 = Date.UTC(2026, 0, 1);

const message = (id: string, at: number, fields: Partial<NewMessage> = {}): NewMessage => ({
  ...{
    id,
    ...GENERAL,
    senderId: "ada",
    senderDisplayName: "Ada",
    content: id,
    replyToId: null,
    mentions: [],
  },
  ...{ timestamp: T0 + at, delivery: "sent", clientInstanceId: null, ...fields },
});
const position = (id: string, at: number) => ({ id, timestamp: T0 + at });

describe("read positions", () => {
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

  const activity = (chatter = bob, place = GENERAL): ChannelActivity | undefined =>
    chatter.chat.state.getState().activity.get(channelKey(place));
  const store = async (messages: readonly NewMessage[]): Promise<void> => {
    await bob.store.saveMessages(messages);
    const messageIds = messages.map(({ id }) => id);
    bob.apply({ kind: "messages", roomId: ROOM, messageIds, isLive: false });
    await bob.settle();
  };
  const anotherTab = async (): Promise<Chatter> =>
    startedChatter(server, {
      userId: "bob",
      platform: bob.platform.duplicate(),
      store: bob.store,
      instanceId: "other",
    });

  it("count unread messages in every text channel, mentions separately", async () => {
    await store([message("a", 1), message("b", 2, { mentions: ["bob"] }), message("c", 3, ASIDE)]);
    await store([message("mine", 4, { senderId: "bob" })]);
    expect(activity()).toEqual({
      ...{ messages: 2, mentions: 1, first: position("a", 1), lastMessageAt: T0 + 4, hasDraft: false },
    });
    expect(activity(bob, ASIDE)).toMatchObject({ messages: 1, mentions: 0 });
    expect([...bob.chat.state.getState().activity.keys()]).toEqual([channelKey(GENERAL), channelKey(ASIDE)]);
  });

  it("CL5 move forward only, and survive a restart", async () => {
    await store([message("a", 1), message("b", 2), message("c", 3)]);
    const timeline = bob.chat.timeline(GENERAL);
    timeline.markRead(position("b", 2));
    timeline.markRead(position("a", 1));
    await bob.settle();
    expect(activity()).toMatchObject({ messages: 1, first: position("c", 3) });
    expect(bob.synced).toEqual([]);
    await bob.platform.clock.advance(1_000);
    expect(bob.synced).toEqual([{ type: "read-position", ...GENERAL, messageId: "b", timestamp: T0 + 2 }]);
    expect(await bob.store.room(ROOM)).toMatchObject({ lastReadMessageId: "b", lastReadAt: T0 + 2 });
    timeline.markRead(position("c", 3));
    bob.chat.stop();
    await bob.settle();
    const again = await startedChatter(server, { userId: "bob", platform: bob.platform, store: bob.store });
    expect(activity(again)).toMatchObject({ messages: 0, first: null });
  });

  it("are saved when the page is hidden", async () => {
    await store([message("a", 1)]);
    bob.chat.timeline(GENERAL).markRead(position("a", 1));
    bob.platform.attend({ isVisible: false, isAttended: false });
    await bob.settle();
    expect(parseReadRecord(await bob.store.meta(readKey(GENERAL)))).toEqual(position("a", 1));
  });

  it("follow another device and another tab", async () => {
    const other = await anotherTab();
    await store([message("a", 1), message("b", 2), message("c", 3)]);
    await advanceReadRecord({ store: bob.store, tabs: bob.platform.tabs }, GENERAL, position("a", 1));
    bob.apply({ kind: "read", roomId: ROOM });
    await bob.settle();
    expect(activity()).toMatchObject({ messages: 2 });
    bob.chat.timeline(GENERAL).markRead(position("b", 2));
    await bob.platform.clock.advance(1_000);
    expect(activity(other)).toMatchObject({ messages: 1 });
    expect(other.synced).toEqual([]);
  });

  it("never go back, whichever device writes first", async () => {
    const place = { store: bob.store, tabs: bob.platform.tabs };
    const written = await Promise.all(
      [3, 1, 4, 1, 5].map(async (at) => advanceReadRecord(place, GENERAL, position("x", at))),
    );
    expect(written).toEqual([true, false, true, false, true]);
    expect(parseReadRecord(await bob.store.meta(readKey(GENERAL)))).toEqual(position("x", 5));
  });

  it.each(["", "nonsense", "{}", '{"timestamp":"x","id":"a"}', "null"])(
    "takes %j for no position",
    (value) => {
      expect(parseReadRecord(value)).toBeNull();
    },
  );

  it("mark a whole room as read", async () => {
    await store([message("a", 1), message("b", 2), message("c", 3, ASIDE)]);
    await bob.chat.markAllRead(ROOM);
    await bob.settle();
    expect([activity(), activity(bob, ASIDE)]).toMatchObject([{ messages: 0 }, { messages: 0 }]);
  });

  it("follow servers and channels that are added and removed", async () => {
    await store([message("a", 1, { channelId: "channel-9" }), message("b", 1, { channelId: null })]);
    const room = chatRoomRecord(server.url, "bob");
    const show = async (channels: typeof room.channels): Promise<readonly string[]> => {
      const place = { room: { ...room, channels }, joinState: "joined" as const, present: new Map() };
      bob.servers.setState({ servers: new Map([[ROOM, place]]) });
      await bob.settle();
      return [...bob.chat.state.getState().activity].map(([key, { messages }]) => `${key} ${messages}`);
    };
    expect(await show([{ id: "channel-9", name: "new", kind: "text", position: 0 }])).toEqual([
      `${ROOM}/channel-9 1`,
    ]);
    expect(await show([])).toEqual([`${ROOM}/ 1`]);
    bob.servers.setState({ servers: new Map() });
    await bob.settle();
    expect(bob.chat.state.getState().activity.size).toBe(0);
  });

  it("CL5 keeps a draft for each channel over a restart", async () => {
    const other = await anotherTab();
    bob.chat.saveDraft(GENERAL, "half a thou");
    bob.chat.saveDraft(GENERAL, "half a thought");
    expect(await bob.chat.draft(GENERAL)).toBe("half a thought");
    expect(activity()?.hasDraft).toBe(true);
    await bob.settle();
    expect(await bob.store.metaEntries("draft:")).toEqual([
      { key: `draft:${channelKey(GENERAL)}`, value: JSON.stringify({ text: "half a thought" }) },
    ]);
    expect(activity(other)?.hasDraft).toBe(true);
    bob.chat.saveDraft(ASIDE, "aside");
    bob.chat.stop();
    await bob.settle();
    const again = createChatter(server, { userId: "bob", platform: bob.platform, store: bob.store });
    await again.chat.start();
    await again.settle();
    expect([activity(again)?.hasDraft, activity(again, ASIDE)?.hasDraft]).toEqual([true, true]);
    expect(await again.chat.draft(ASIDE)).toBe("aside");
    again.chat.saveDraft(ASIDE, "");
    again.platform.attend({ isVisible: false });
    await again.settle();
    expect(await again.store.metaEntries("draft:")).toMatchObject([{ key: `draft:${channelKey(GENERAL)}` }]);
    expect(activity(again, ASIDE)?.hasDraft).toBe(false);
  });

  it("show and keep nothing of the previous account", async () => {
    await store([message("a", 1)]);
    bob.chat.saveDraft(GENERAL, "private");
    bob.chat.timeline(GENERAL).markRead(position("a", 1));
    await bob.settle();
    expect(await bob.store.metaEntries("draft:")).toHaveLength(1);
    await bob.store.eraseAll();
    bob.accounts.setState(accountsOf(server.url, "somebody else"));
    await bob.platform.clock.advance(5_000);
    expect(await bob.store.metaEntries("")).toEqual([]);
    expect(await bob.chat.draft(GENERAL)).toBe("");
    expect(activity()).toMatchObject({ messages: 0, lastMessageAt: null, hasDraft: false });
    await store([message("b", 0)]);
    expect(activity()).toMatchObject({ messages: 1 });
  });

  it("keep what was written when the account signs out", async () => {
    bob.chat.saveDraft(GENERAL, "unfinished");
    bob.accounts.setState({ phase: "signed-out" });
    await bob.settle();
    expect(await bob.store.metaEntries("draft:")).toHaveLength(1);
  });

  it("AB12 neither count, find nor report messages of blocked users, and do so again after unblocking", async () => {
    const arrived: string[] = [];
    bob.chat.onArrival(({ message: { id } }) => void arrived.push(id));
    await store([message("a", 1, { mentions: ["bob"] }), message("b", 2, { senderId: "eve" })]);
    expect(activity()).toMatchObject({ messages: 2, mentions: 1 });
    bob.blocks.setState(new Map([[server.url, new Set(["ada"])]]), true);
    await bob.settle();
    expect(activity()).toMatchObject({ messages: 1, mentions: 0, first: position("b", 2) });
    const timeline = bob.chat.timeline(GENERAL);
    await bob.settle();
    expect(timeline.state.getState()).toMatchObject({ divider: position("b", 2), unread: { messages: 1 } });
    expect(timeline.state.getState().messages).toHaveLength(2);
    timeline.release();
    const said = (id: string, fromUserId: string) => ({
      ...{ type: "chat_message", serverId: ROOM, channelId: "channel-1", fromUserId, sentAt: T0 + 5 },
      ...{
        fromDisplayName: fromUserId,
        message: { id, content: `tea of ${id}`, timestamp: T0 + 5, mentions: [] },
      },
    });
    bob.hear(said("c", "ada"));
    bob.hear(said("d", "eve"));
    const typing = { type: "user_typing", serverId: ROOM, channelId: "channel-1" };
    for (const name of ["ada", "zoe"])
      bob.hear({ ...typing, fromUserId: name, fromDisplayName: name, sentAt: T0 + 6 });
    await bob.settle();
    expect([arrived, (await bob.chat.search({ text: "tea" })).map(({ id }) => id)]).toEqual([["d"], ["d"]]);
    expect(bob.chat.state.getState().typing.get(channelKey(GENERAL))).toMatchObject([{ userId: "zoe" }]);
    bob.blocks.setState(new Map(), true);
    await bob.settle();
    expect(activity()).toMatchObject({ messages: 4, mentions: 1, first: position("a", 1) });
    expect(await bob.chat.search({ text: "tea" })).toHaveLength(2);
  });

  it("find messages by text", async () => {
    await store([message("a", 1, { content: "The Garden grows" }), message("b", 2)]);
    expect(await bob.chat.search({ text: "garden" })).toMatchObject([{ id: "a" }]);
  });
});
