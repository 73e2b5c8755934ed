import { beforeEach, describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import { createChatServer } from "../testing/chat-server.ts";
import type { ChatServer } from "../testing/chat-server.ts";
import { GENERAL, ROOM, createChatter, startedChatter, talk } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";

const offered = ({ seat }: Chatter): readonly unknown[] => seat.read.map((message) => message["message"]);
const contents = (chatter: Chatter): readonly unknown[] =>
  offered(chatter).map((message) => (message as { content?: string } | undefined)?.content);

describe("the outbox", () => {
  let server: ChatServer;
  let platform: FakePlatform;
  let ada: Chatter;
  beforeEach(async () => {
    const clock = createFakeClock();
    platform = createFakePlatform({ device: createFakeDevice(clock), seed: 1 });
    server = createChatServer(clock);
    ada = await startedChatter(server, { userId: "ada", platform });
  });

  const messageId = async (content: string): Promise<string> => {
    const { messages } = await ada.store.messagesBefore(GENERAL, { limit: 50, before: null });
    return messages.find((message) => message.content === content)?.id ?? "";
  };

  it("CL5 stores a message before it is sent, and sends it once", async () => {
    ada.goOffline();
    await ada.chat.send(GENERAL, { content: "hello", mentions: ["bob", "bob"] });
    expect(await talk(ada)).toEqual(["hello (pending)"]);
    expect(offered(ada)).toEqual([]);
    ada.goOnline();
    await ada.settle();
    expect(await talk(ada)).toEqual(["hello"]);
    expect(ada.seat.read).toEqual([
      {
        type: "chat_message",
        serverId: ROOM,
        channelId: "channel-1",
        message: {
          id: await messageId("hello"),
          content: "hello",
          timestamp: platform.now(),
          replyToId: null,
          mentions: ["bob"],
          clientInstanceId: "instance-of-ada",
        },
      },
    ]);
    expect(ada.synced).toMatchObject([
      { type: "chat-message", message: { content: "hello", roomId: ROOM, senderDisplayName: "Name of ada" } },
    ]);
  });

  it("leaves out the channel of a room without channels", async () => {
    await ada.chat.send({ roomId: ROOM, channelId: null }, { content: "hello" });
    await ada.settle();
    expect(ada.seat.read[0]).not.toHaveProperty("channelId");
  });

  it("CL5 sends in the order of writing, however fast", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    await Promise.all(texts.map(async (content) => ada.chat.send(GENERAL, { content })));
    await ada.settle();
    expect(contents(ada)).toEqual(texts);
    expect(await talk(ada)).toEqual(texts);
  });

  it("CL5 resends the same message when the socket closed before its ack", async () => {
    const fates = ["breaks-after", "breaks-before"] as const;
    let asked = 0;
    ada.seat.fate = () => fates[asked++] ?? "ack";
    await ada.chat.send(GENERAL, { content: "once" });
    for (let times = 0; times < 3; times += 1) {
      await ada.settle();
      ada.goOnline();
    }
    await ada.settle();
    expect(contents(ada)).toEqual(["once", "once"]);
    expect(new Set(offered(ada).map((message) => (message as { id: string }).id)).size).toBe(1);
    expect(await talk(ada)).toEqual(["once"]);
    expect(ada.synced).toHaveLength(1);
  });

  it.each(["FORBIDDEN", "PAYLOAD_TOO_LARGE", "INVALID_REQUEST", "INTERNAL"] as const)(
    "keeps a message that is refused for good (%s) as failed, and goes on with the next",
    async (code) => {
      ada.seat.fate = (message) =>
        JSON.stringify(message).includes("bad") ? new ClientProblem(code) : "ack";
      const timeline = ada.chat.timeline(GENERAL);
      await Promise.all(["bad", "good"].map(async (content) => ada.chat.send(GENERAL, { content })));
      await ada.settle();
      expect(await talk(ada)).toEqual(["bad (failed)", "good"]);
      expect(timeline.state.getState().messages[0]?.problem).toMatchObject({ code });
      const again = await startedChatter(server, { userId: "ada", platform, store: ada.store });
      const later = again.chat.timeline(GENERAL);
      await again.settle();
      expect(later.state.getState().messages[0]?.problem).toMatchObject({ code });
    },
  );

  const passing = [
    new ClientProblem("RATE_LIMITED", { retryable: true, retryAfterMs: 7_000 }),
    new ClientProblem("UNAVAILABLE", { retryable: true }),
    new ClientProblem("NO_ANSWER", { retryable: true }),
    new ClientProblem("NOT_JOINED"),
    new ClientProblem("AUTH_REQUIRED"),
    new ClientProblem("OFFLINE"),
    new TypeError("UNEXPECTED"),
  ];
  it.each(passing.map((problem) => [problem.message, problem] as const))(
    "ER6 keeps a message pending while trouble may pass, and sends it later: %s",
    async (_, problem) => {
      let isTroubled = true;
      ada.seat.fate = () => (isTroubled ? problem : "ack");
      const timeline = ada.chat.timeline(GENERAL);
      await ada.chat.send(GENERAL, { content: "patience" });
      await ada.settle();
      expect(await talk(ada)).toEqual(["patience (pending)"]);
      const shown = timeline.state.getState().messages[0]?.problem;
      expect(shown).toEqual(problem instanceof ClientProblem ? problem : null);
      isTroubled = false;
      await platform.clock.advance(7_000);
      expect(await talk(ada)).toEqual(["patience"]);
      expect(timeline.state.getState().messages[0]?.problem).toBeNull();
    },
  );

  it("respects the delay of the server", async () => {
    let tries = 0;
    ada.seat.fate = () => {
      tries += 1;
      return new ClientProblem("RATE_LIMITED", { retryable: true, retryAfterMs: 9_000 });
    };
    await ada.chat.send(GENERAL, { content: "slowly" });
    await platform.clock.advance(8_900);
    expect(tries).toBe(1);
    await platform.clock.advance(200);
    expect(tries).toBe(2);
  });

  it("retries and discards failed messages", async () => {
    ada.seat.fate = () => new ClientProblem("FORBIDDEN");
    for (const content of ["again", "never"]) await ada.chat.send(GENERAL, { content });
    await ada.settle();
    const timeline = ada.chat.timeline(GENERAL);
    ada.seat.fate = () => "ack";
    await ada.chat.retry(await messageId("again"));
    await ada.chat.discard(await messageId("never"));
    await ada.settle();
    expect(contents(ada)).toEqual(["again"]);
    expect(timeline.state.getState().messages).toMatchObject([{ content: "again", problem: null }]);
    await expect(ada.chat.discard(await messageId("again"))).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await ada.store.metaEntries("failure:")).toEqual([]);
  });

  it("removes a message that may have been sent", async () => {
    ada.seat.fate = () => "no-answer";
    await ada.chat.send(GENERAL, { content: "oops" });
    await ada.settle();
    ada.seat.fate = () => "ack";
    const [message] = await ada.store.undelivered();
    await ada.chat.discard(message?.id ?? "");
    await ada.settle();
    expect(ada.seat.read.map(({ type }) => type)).toEqual(["chat_message", "message_delete"]);
    const timeline = ada.chat.timeline(GENERAL);
    await ada.settle();
    expect(timeline.state.getState().messages).toEqual([]);
  });

  it("CL5 keeps edits, removals and reactions over a restart, after their message", async () => {
    ada.goOffline();
    await ada.chat.send(GENERAL, { content: "first" });
    const id = await messageId("first");
    await ada.chat.edit(id, "second");
    await ada.chat.react(id, "🌱", true);
    await ada.chat.react(id, "🌱", false);
    expect(await talk(ada)).toEqual(["second (pending)"]);
    const types = ada.synced.map(({ type }) => type);
    expect(types).toEqual(["message-revision", "message-reaction", "message-reaction"]);
    ada.chat.stop();
    const again = createChatter(server, { userId: "ada", platform, store: ada.store });
    await again.chat.start();
    await again.settle();
    expect(again.seat.read).toMatchObject([
      { type: "chat_message", message: { id, content: "first" } },
      { type: "message_revision", messageId: id, revision: { content: "second", revision: 1 } },
      { type: "reaction", messageId: id, emoji: "🌱", action: "add" },
      { type: "reaction", messageId: id, emoji: "🌱", action: "remove" },
    ]);
    expect(await again.store.metaEntries("outbox:")).toEqual([]);
    await again.chat.edit(id, "third");
    await again.chat.remove(id);
    await again.settle();
    expect(again.seat.read.slice(4)).toMatchObject([
      { type: "message_revision", revision: { content: "third", revision: 2 } },
      { type: "message_delete", messageId: id },
    ]);
  });

  it("keeps a change of a failed message until the message is sent or discarded", async () => {
    ada.seat.fate = () => new ClientProblem("FORBIDDEN");
    for (const content of ["again", "never"]) await ada.chat.send(GENERAL, { content });
    await ada.settle();
    const [again, never] = [await messageId("again"), await messageId("never")];
    for (const id of [again, never]) await ada.chat.edit(id, `${id}, edited`);
    await ada.settle();
    expect(ada.seat.read).toEqual([]);
    expect(await ada.store.metaEntries("outbox:")).toHaveLength(2);
    ada.seat.fate = () => "ack";
    await ada.chat.retry(again);
    await ada.chat.discard(never);
    await ada.settle();
    expect(ada.seat.read).toMatchObject([
      { type: "chat_message", message: { id: again, content: "again" } },
      { type: "message_revision", messageId: again },
    ]);
    expect(await ada.store.metaEntries("outbox:")).toEqual([]);
  });

  it("drops a change that is refused for good or malformed, and goes on", async () => {
    await ada.chat.send(GENERAL, { content: "mine" });
    await ada.settle();
    await ada.store.setMeta("outbox:0", "no change");
    ada.seat.fate = ({ type }) => (type === "reaction" ? new ClientProblem("FORBIDDEN") : "ack");
    const id = await messageId("mine");
    await ada.chat.react(id, "🌱", true);
    await ada.chat.edit(id, "still mine");
    await ada.settle();
    expect(ada.seat.read.map(({ type }) => type)).toEqual(["chat_message", "message_revision"]);
    expect(await ada.store.metaEntries("outbox:")).toEqual([]);
  });

  it("refuses an unsendable message before it is stored", async () => {
    await expect(ada.chat.send(GENERAL, { content: " \n" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await expect(ada.chat.send(GENERAL, { content: "é".repeat(40_000) })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    await expect(
      ada.chat.send({ roomId: "elsewhere", channelId: null }, { content: "?" }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await talk(ada)).toEqual([]);
  });

  it("CL5 lets one tab send at a time, and another one take over when it closes", async () => {
    const other = await startedChatter(server, {
      userId: "ada",
      platform: platform.duplicate(),
      store: ada.store,
      instanceId: "other",
    });
    const stuck = Promise.withResolvers<never>();
    Object.assign(ada.seat.connection, { request: async () => stuck.promise });
    await ada.chat.send(GENERAL, { content: "carried on" });
    await ada.settle();
    expect(await talk(other)).toEqual(["carried on (pending)"]);
    expect(contents(other)).toEqual([]);
    platform.leave();
    await other.settle();
    expect(contents(other)).toEqual(["carried on"]);
    expect(await talk(other)).toEqual(["carried on"]);
  });
});
