import type { NewMessage } from "@hearth/device";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ClientProblem } from "@hearth/device";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createFakeDevice } from "../../testing/fake-device.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import { channelKey } from "../chat.ts";
import type { NewMention } from "../chat.ts";
import { createChatServer } from "../testing/chat-server.ts";
import { GENERAL, ROOM, startedChatter, talk } from "../testing/chatter.ts";
import type { Chatter } from "../testing/chatter.ts";

const [moderator, stranger] = [
  "0198c0de-0000-7000-8000-000000000001",
  "0198c0de-0000-7000-8000-000000000002",
];

describe("messages from the socket", () => {
  let bob: Chatter;
  let arrivals: NewMention[];
  let now: number;
  beforeEach(async () => {
    const clock = createFakeClock();
    const platform = createFakePlatform({ device: createFakeDevice(clock) });
    bob = await startedChatter(createChatServer(clock), { userId: "bob", platform });
    arrivals = [];
    bob.chat.onArrival((arrival) => arrivals.push(arrival));
    now = clock.now();
  });

  const relayed = (from: string, fields: object): object => ({
    serverId: ROOM,
    channelId: "channel-1",
    fromUserId: from,
    fromDisplayName: `Name of ${from}`,
    sentAt: now,
    ...fields,
  });
  const said = (from: string, id: string, message: object = {}, fields: object = {}): object =>
    relayed(from, {
      type: "chat_message",
      message: { id, content: `text of ${id}`, timestamp: now, mentions: [], ...message },
      ...fields,
    });
  const revised = (from: string, messageId: string, content: string, fields: object = {}): object =>
    relayed(from, {
      type: "message_revision",
      messageId,
      revision: { content, revision: 1, editedAt: now },
      ...fields,
    });
  const removed = (from: string, messageId: string, fields: object = {}): object =>
    relayed(from, { type: "message_delete", messageId, deletedAt: now, ...fields });
  const reacted = (from: string, messageId: string, fields: object = {}): object =>
    relayed(from, { type: "reaction", messageId, emoji: "🌱", action: "add", at: now, ...fields });
  const receive = async (...messages: object[]): Promise<void> => {
    for (const message of messages) bob.hear(message);
    await bob.settle();
  };

  it("CL5 stores a message once, however often it arrives", async () => {
    await receive(said("ada", "a"), said("ada", "a", { content: "another text" }), said("mallory", "a"));
    await receive(said("ada", "a", { content: "a third" }));
    expect(await talk(bob)).toEqual(["text of a"]);
    expect(arrivals.map(({ message }) => message.senderId)).toEqual(["ada"]);
  });

  it("WS9 takes the sender from the relay", async () => {
    await receive(said("ada", "a", { senderId: "bob", fromUserId: "bob" }));
    expect(await bob.store.message("a")).toMatchObject({ senderId: "ada", senderDisplayName: "Name of ada" });
  });

  it("reports mentions, and nothing that we wrote on another device", async () => {
    await receive(said("ada", "a", { mentions: ["bob"] }), said("ada", "b"), said("bob", "c"));
    expect(arrivals.map(({ message, isMention }) => [message.id, isMention])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(await talk(bob)).toHaveLength(3);
  });

  it.each([
    ["a room that is not ours", said("ada", "a", {}, { serverId: "elsewhere" })],
    ["no id", said("ada", "")],
    ["a text that is none", said("ada", "a", { content: 7 })],
    ["a text beyond every frame", said("ada", "a", { content: "x".repeat(70_000) })],
    ["no message", relayed("ada", { type: "chat_message" })],
    ["no sender", said("", "a")],
  ])("drops %s", async (_, message) => {
    await receive(message);
    expect(await bob.store.message("a")).toBeUndefined();
    expect(arrivals).toEqual([]);
  });

  it("drops messages about a server of another instance", async () => {
    bob.hear(said("ada", "a"), "https://evil.example");
    await bob.settle();
    expect(await talk(bob)).toEqual([]);
  });

  it("accepts messages with optional fields missing", async () => {
    await receive(said("ada", "a", { mentions: "nonsense", timestamp: undefined }, { channelId: undefined }));
    expect(await bob.store.message("a")).toMatchObject({
      ...{ channelId: null, mentions: [], replyToId: null, clientInstanceId: null, timestamp: now },
    });
  });

  it.each([
    ["300 days ago", -300 * 86_400_000, 0],
    ["31 s ago", -31_000, 0],
    ["30 s ago", -30_000, -30_000],
    ["in 30 s", 30_000, 30_000],
    ["in 31 s", 31_000, 0],
    ["in a year", 365 * 86_400_000, 0],
  ])("AB10 dates a message that says it was written %s", async (_, written, dated) => {
    await receive(said("ada", "a", { timestamp: now + written }));
    expect((await bob.store.message("a"))?.timestamp).toBe(now + dated);
  });

  it("AB10 counts a backdated message as unread", async () => {
    await receive(said("ada", "a"));
    bob.chat.timeline(GENERAL).markRead({ id: "a", timestamp: now });
    await receive(said("mallory", "b", { timestamp: now - 300 * 86_400_000 }, { sentAt: now + 1_000 }));
    const activity = bob.chat.state.getState().activity.get(channelKey(GENERAL));
    expect(activity).toMatchObject({ messages: 1, first: { id: "b", timestamp: now + 1_000 } });
  });

  it("AB10 lets no change from the future win for ever", async () => {
    const far = now + 365 * 86_400_000;
    const edit = (content: string, editedAt: number): object =>
      revised("ada", "a", content, { revision: { content, revision: 1, editedAt } });
    await receive(said("ada", "a"), said("ada", "b"), edit("from the future", far));
    expect(await bob.store.message("a")).toMatchObject({ content: "from the future", editedAt: now });
    await receive(edit("said later", now + 1_000));
    expect(await talk(bob)).toEqual(["said later", "text of b"]);
    await receive(reacted("eve", "a", { at: far }), reacted("eve", "a", { action: "remove", at: now + 1 }));
    expect(await bob.store.reactions("a")).toEqual([]);
    await receive(removed("ada", "b", { deletedAt: far }));
    expect(await bob.store.message("b")).toMatchObject({ deletedAt: now });
  });

  it("AB10 believes a change that waited in an outbox about its age", async () => {
    await receive(said("ada", "a"), reacted("eve", "a", { action: "remove", at: now - 60_000 }));
    await receive(reacted("eve", "a", { at: now - 120_000 }));
    expect(await bob.store.reactions("a")).toEqual([]);
  });

  it("lets only the author edit, in the message's own server", async () => {
    await receive(said("ada", "a"), revised("mallory", "a", "forged"));
    await receive(revised("mallory", "a", "forged again"));
    expect(await talk(bob)).toEqual(["text of a"]);
    await receive(revised("ada", "a", "corrected"));
    expect(await talk(bob)).toEqual(["corrected"]);
  });

  const members = (...moderators: string[]): void =>
    bob.platform.network.answer(() => ({
      status: 200,
      body: {
        items: [...moderators, stranger].map((userId) => ({
          ...{ userId, displayName: userId, joinedAt: now },
          role: moderators.includes(userId) ? "moderator" : "member",
        })),
        nextCursor: null,
      },
    }));

  it("lets the author and moderators remove", async () => {
    members(moderator);
    await receive(said("ada", "a"), said("ada", "b"), said("ada", "c"), said("ada", "d"));
    await receive(removed(stranger, "a"), removed(stranger, "a"));
    await receive(removed("ada", "b"), removed(moderator, "c"), removed("owner", "d"));
    expect(await talk(bob)).toEqual(["text of a", "", "", ""]);
    expect(bob.platform.network.requests).toHaveLength(1);
  });

  it("follows changes of the moderator role", async () => {
    members(moderator);
    await receive(said("ada", "a"), said("ada", "b"), removed(stranger, "a"));
    const update = { type: "member_updated", serverId: ROOM, displayName: "" };
    await receive(
      { ...update, userId: stranger, role: "moderator" },
      { ...update, userId: moderator, role: "member" },
    );
    await receive(removed(moderator, "a"), removed(stranger, "b"));
    expect(await talk(bob)).toEqual(["text of a", ""]);
  });

  it("ER6 decides on a removal later if the instance cannot be asked now", async () => {
    await receive(said("ada", "a"), said("ada", "b"), removed(moderator, "a"), removed(stranger, "b"));
    expect(await talk(bob)).toEqual(["text of a", "text of b"]);
    members(moderator);
    await bob.platform.clock.advance(31_000);
    expect(await talk(bob)).toEqual(["", "text of b"]);
  });

  it("decides on an early change when its message arrives", async () => {
    await receive(revised("mallory", "a", "forged"), revised("ada", "a", "corrected"), reacted("eve", "a"));
    expect(await bob.store.message("a")).toBeUndefined();
    await receive(said("ada", "a"));
    expect(await talk(bob)).toEqual(["corrected"]);
    expect(await bob.store.reactions("a")).toMatchObject([{ userId: "eve", emoji: "🌱" }]);
    await receive(removed("mallory", "b"), revised("ada", "b", "by a sibling"));
    await bob.store.saveMessages([
      {
        ...{ id: "b", roomId: ROOM, channelId: "channel-1", senderId: "ada", senderDisplayName: "Ada" },
        ...{
          content: "first",
          replyToId: null,
          mentions: [],
          timestamp: now,
          delivery: "sent",
          clientInstanceId: null,
        },
      },
    ]);
    bob.apply({ kind: "messages", roomId: ROOM, messageIds: ["b"], isLive: false });
    await bob.settle();
    expect(await talk(bob)).toEqual(["corrected", "by a sibling"]);
    expect(arrivals.map(({ message }) => message.id)).toEqual(["a"]);
  });

  it("marks its own message as sent when another tab sent it", async () => {
    bob.goOffline();
    await bob.chat.send(GENERAL, { content: "mine" });
    const [message] = await bob.store.undelivered();
    await receive(said("mallory", message?.id ?? ""));
    expect(await talk(bob)).toEqual(["mine (pending)"]);
    await receive(said("bob", message?.id ?? ""));
    expect(await talk(bob)).toEqual(["mine"]);
  });

  it("CL5 keeps what arrives while the store fails, in order, and reports it once", async () => {
    const store = { ...bob.store };
    let isDown = true;
    Object.assign(bob.store, {
      saveMessages: async (messages: readonly NewMessage[]) => {
        if (isDown) throw new ClientProblem("STORAGE_FAILED", { retryable: true });
        return store.saveMessages(messages);
      },
    });
    await receive(said("ada", "a"), revised("ada", "a", "corrected"));
    await receive(said("ada", "b"), reacted("eve", "b"));
    expect(await talk(bob)).toEqual([]);
    isDown = false;
    await bob.platform.clock.advance(2_000);
    expect(await talk(bob)).toEqual(["corrected", "text of b"]);
    expect(arrivals.map(({ message }) => message.id)).toEqual(["a", "b"]);
  });

  it("loses no other message when the store refuses one", async () => {
    const store = { ...bob.store };
    Object.assign(bob.store, {
      saveMessages: async (messages: readonly NewMessage[]) => {
        if (messages.some(({ id }) => id === "bad")) throw new ClientProblem("INVALID_REQUEST");
        return store.saveMessages(messages);
      },
    });
    await receive(said("ada", "a"), said("ada", "bad"), said("ada", "b"));
    expect(await talk(bob)).toEqual(["text of a", "text of b"]);
  });
});
