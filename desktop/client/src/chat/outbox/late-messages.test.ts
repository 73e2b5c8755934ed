import { beforeEach, describe, expect, it } from "@jest/globals";
import type { DeviceMessage } from "@hearth/device";
import type { ChannelRef } from "@hearth/store";
import { ClientProblem } from "@hearth/device";
import { createFakeClock } from "../../testing/fake-clock.ts";
import type { FakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import { channelKey } from "../chat.ts";
import { positionOf } from "../message-position.ts";
import { createChatServer } from "../testing/chat-server.ts";
import type { ChatServer } from "../testing/chat-server.ts";
import { ASIDE, GENERAL, ROOM, startedChatter, talk } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";

const MINUTE = 60_000;

const messagesOf = async ({ store }: Chatter, channel: ChannelRef = GENERAL) =>
  (await store.messagesBefore(channel, { limit: 100, before: null })).messages;
const named = async (chatter: Chatter, content: string): Promise<DeviceMessage> => {
  const found = (await messagesOf(chatter)).find((message) => message.content === content);
  if (!found) throw new Error(`${content} is not there`);
  return found;
};
const timeOf = async (chatter: Chatter, content: string): Promise<number> =>
  (await named(chatter, content)).timestamp;

describe("messages that waited for long", () => {
  let clock: FakeClock;
  let server: ChatServer;
  let platform: FakePlatform;
  let ada: Chatter;
  let bob: Chatter;
  beforeEach(async () => {
    clock = createFakeClock();
    server = createChatServer(clock);
    platform = createFakePlatform({ device: createFakeDevice(clock), seed: 1 });
    ada = await startedChatter(server, { userId: "ada", platform });
    const elsewhere = createFakePlatform({ device: createFakeDevice(clock) });
    bob = await startedChatter(server, { userId: "bob", platform: elsewhere });
  });

  const writes = async (chatter: Chatter, ...contents: readonly string[]): Promise<void> => {
    for (const content of contents) await chatter.chat.send(GENERAL, { content });
    await chatter.settle();
  };
  const comesBack = async (): Promise<void> => {
    await clock.advance(1);
    ada.goOnline();
    await ada.settle();
  };
  /** Delivers the message, but loses the ack. */
  const losesReceipt = async (content: string): Promise<void> => {
    ada.seat.fate = () => "breaks-after";
    await writes(ada, content);
    ada.seat.fate = () => "ack";
  };
  const expectNothingKept = async (): Promise<void> =>
    expect(await ada.store.metaEntries("handed:")).toEqual([]);

  it("CL5 are placed after newer messages, and are unread for those who have read these", async () => {
    await writes(ada, "hello");
    ada.goOffline();
    await writes(ada, "first", "second");
    await clock.advance(MINUTE);
    await writes(bob, "meanwhile");
    bob.chat.timeline(GENERAL).markRead(positionOf(await named(bob, "meanwhile")));
    await comesBack();
    expect(await talk(bob)).toEqual(["hello", "meanwhile", "first", "second"]);
    expect(await talk(ada)).toEqual(["hello", "first", "second"]);
    const times = [clock.now(), clock.now() + 1];
    for (const chatter of [ada, bob])
      expect([await timeOf(chatter, "first"), await timeOf(chatter, "second")]).toEqual(times);
    const activity = bob.chat.state.getState().activity.get(channelKey(GENERAL));
    expect(activity).toMatchObject({ messages: 2, first: { timestamp: clock.now() } });
    expect(ada.synced.slice(1)).toMatchObject(times.map((timestamp) => ({ message: { timestamp } })));
    await expectNothingKept();
  });

  it("are later than the newest known message, even if that is ahead of the clock", async () => {
    ada.goOffline();
    await writes(ada, "waits");
    const { clientInstanceId, ...known } = await named(ada, "waits");
    await clock.advance(MINUTE);
    const timestamp = clock.now() + 5_000;
    const newer = { ...known, id: "newer", senderId: "bob", delivery: "sent" as const, clientInstanceId };
    await ada.store.saveMessages([{ ...newer, content: "newer", timestamp }]);
    await comesBack();
    expect(await timeOf(bob, "waits")).toBe(timestamp + 1);
    expect(await talk(ada)).toEqual(["newer", "waits"]);
  });

  it("keep their timestamp after a short wait", async () => {
    ada.goOffline();
    await writes(ada, "waits");
    const writtenAt = await timeOf(ada, "waits");
    await clock.advance(24_999);
    await writes(bob, "meanwhile");
    await comesBack();
    expect(await timeOf(bob, "waits")).toBe(writtenAt);
    expect(await talk(bob)).toEqual(["waits", "meanwhile"]);
    await expectNothingKept();
  });

  it("move later messages of the same channel along", async () => {
    ada.goOffline();
    await writes(ada, "long ago");
    await clock.advance(MINUTE);
    await writes(ada, "just now");
    await ada.chat.send(ASIDE, { content: "elsewhere" });
    await comesBack();
    for (const chatter of [ada, bob]) {
      expect(await talk(chatter)).toEqual(["long ago", "just now"]);
      expect(await timeOf(chatter, "just now")).toBe(clock.now() + 1);
      expect(await messagesOf(chatter, ASIDE)).toMatchObject([{ timestamp: clock.now() - 1 }]);
    }
  });

  it("keep their order when there are very many", async () => {
    ada.goOffline();
    const many = Array.from({ length: 1_200 }, (_, index) => `text ${index}`);
    for (const content of many) await ada.chat.send(GENERAL, { content });
    await clock.advance(MINUTE);
    ada.goOnline();
    for (let turns = 0; turns < 100 && (await ada.store.undelivered()).length > 0; turns += 1)
      await ada.settle();
    const { messages } = await bob.store.messagesBefore(GENERAL, { limit: 2_000, before: null });
    expect(messages.map(({ content }) => content)).toEqual(many);
    expect(messages.at(999)?.timestamp).toBe(clock.now() + 999);
    expect(messages.at(-1)?.timestamp).toBe(clock.now() + 1_199);
  });

  it("keep their timestamp if they may have been sent, also after a restart", async () => {
    await losesReceipt("out already");
    await writes(ada, "never out");
    const sentAt = await timeOf(bob, "out already");
    await clock.advance(MINUTE);
    await writes(bob, "meanwhile");
    await clock.advance(1);
    ada.chat.stop();
    ada = await startedChatter(server, { userId: "ada", platform, store: ada.store });
    await ada.settle();
    for (const chatter of [ada, bob]) {
      expect(await timeOf(chatter, "out already")).toBe(sentAt);
      expect(await timeOf(chatter, "never out")).toBe(clock.now());
    }
    expect(await talk(bob)).toEqual(["out already", "meanwhile", "never out"]);
    await expectNothingKept();
  });

  it("AB10 stay before later messages if others receive them only on the second try", async () => {
    ada.seat.fate = () => "breaks-before";
    await writes(ada, "first");
    ada.seat.fate = () => "ack";
    await clock.advance(MINUTE);
    await writes(ada, "second");
    await clock.advance(10_000);
    await comesBack();
    expect(await timeOf(bob, "first")).toBe(clock.now());
    for (const chatter of [ada, bob]) expect(await talk(chatter)).toEqual(["first", "second"]);
    expect(await timeOf(bob, "second")).toBe(await timeOf(ada, "second"));
  });

  it("keep their timestamp if they were refused after they may have been sent, and are retried", async () => {
    await losesReceipt("out already");
    const sentAt = await timeOf(bob, "out already");
    ada.seat.fate = () => new ClientProblem("FORBIDDEN");
    await comesBack();
    expect(await talk(ada)).toEqual(["out already (failed)"]);
    ada.seat.fate = () => "ack";
    await clock.advance(MINUTE);
    await ada.chat.retry((await named(ada, "out already")).id);
    await ada.settle();
    expect(await talk(ada)).toEqual(["out already"]);
    expect(await timeOf(ada, "out already")).toBe(sentAt);
    await expectNothingKept();
  });

  it("get the time of a manual retry after a refusal", async () => {
    ada.seat.fate = () => new ClientProblem("FORBIDDEN");
    await writes(ada, "refused");
    await expectNothingKept();
    ada.seat.fate = () => "ack";
    await clock.advance(MINUTE);
    await writes(bob, "meanwhile");
    await ada.chat.retry((await named(ada, "refused")).id);
    await ada.settle();
    for (const chatter of [ada, bob]) expect(await talk(chatter)).toEqual(["meanwhile", "refused"]);
    expect(await timeOf(ada, "refused")).toBe(await timeOf(bob, "refused"));
  });

  it("are followed by their queued changes", async () => {
    ada.goOffline();
    await writes(ada, "frist");
    const { id } = await named(ada, "frist");
    await ada.chat.edit(id, "first");
    await ada.chat.react(id, "🌱", true);
    await clock.advance(MINUTE);
    await writes(bob, "meanwhile");
    await comesBack();
    expect(await talk(bob)).toEqual(["meanwhile", "first"]);
    expect(await bob.store.messageEdits(id)).toMatchObject([
      { content: "frist", editedAt: clock.now() },
      { content: "first", revision: 1 },
    ]);
    expect(await bob.store.reactions(id)).toMatchObject([{ emoji: "🌱", userId: "ada" }]);
  });

  it("move in every open timeline of their author, and appear once", async () => {
    const other = await startedChatter(server, {
      ...{ userId: "ada", platform: platform.duplicate(), store: ada.store, instanceId: "other" },
    });
    const timelines = [ada, other].map(({ chat }) => chat.timeline(GENERAL));
    const shown = () => timelines.map(({ state }) => state.getState().messages.map(({ content }) => content));
    for (const chatter of [ada, other]) chatter.goOffline();
    await writes(ada, "waits");
    await clock.advance(MINUTE);
    const {
      revision: _,
      editedAt: __,
      deletedAt: ___,
      updatedAt: ____,
      ...known
    } = await named(ada, "waits");
    await ada.store.saveMessages([{ ...known, id: "synced", content: "synced", delivery: "sent" }]);
    ada.apply({ kind: "messages", roomId: ROOM, messageIds: ["synced"], isLive: false });
    other.apply({ kind: "messages", roomId: ROOM, messageIds: ["synced"], isLive: false });
    await ada.settle();
    expect(shown()).toEqual([
      ["waits", "synced"],
      ["waits", "synced"],
    ]);
    await comesBack();
    expect(shown()).toEqual([
      ["synced", "waits"],
      ["synced", "waits"],
    ]);
  });

  it("are not remembered once another tab saw them sent, or they were removed", async () => {
    ada.seat.fate = () => "no-answer";
    await writes(ada, "heard");
    expect(await ada.store.metaEntries("handed:")).toHaveLength(1);
    const { id } = await named(ada, "heard");
    const wire = ada.seat.read[0];
    const stamp = { fromUserId: "ada", fromDisplayName: "Ada", sentAt: clock.now() };
    ada.hear({ ...wire, ...stamp });
    await ada.settle();
    expect(await ada.store.message(id)).toMatchObject({ delivery: "sent" });
    ada.seat.fate = () => "breaks-before";
    await writes(ada, "taken back");
    await ada.chat.discard((await named(ada, "taken back")).id);
    ada.seat.fate = () => "ack";
    await comesBack();
    await clock.advance(MINUTE);
    await expectNothingKept();
  });
});
