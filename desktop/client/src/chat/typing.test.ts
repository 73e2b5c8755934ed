import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createFakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import { channelKey } from "./chat.ts";
import { createChatServer } from "./testing/chat-server.ts";
import { ASIDE, GENERAL, ROOM, startedChatter } from "./testing/chatter.ts";
import type { Chatter } from "./testing/chatter.ts";

describe("typing indicators", () => {
  let ada: Chatter;
  let bob: Chatter;
  beforeEach(async () => {
    const device = createFakeDevice(createFakeClock());
    const server = createChatServer(device.clock);
    ada = await startedChatter(server, { userId: "ada", platform: createFakePlatform({ device }) });
    bob = await startedChatter(server, {
      userId: "bob",
      platform: createFakePlatform({ device: createFakeDevice(device.clock) }),
    });
  });

  const seen = (place = GENERAL): readonly string[] =>
    (bob.chat.state.getState().typing.get(channelKey(place)) ?? []).map(({ displayName }) => displayName);
  const sign = (userId: string, fields: object = {}): object => ({
    ...{ type: "user_typing", serverId: ROOM, channelId: "channel-1", fromUserId: userId },
    ...{ fromDisplayName: userId, sentAt: 0, ...fields },
  });

  it("are sent at most every 3 s, and expire after 6 s", async () => {
    for (let keys = 0; keys < 50; keys += 1) ada.chat.typing(GENERAL, "something");
    expect(ada.seat.cast).toEqual([
      { type: "user_typing", serverId: ROOM, channelId: "channel-1", isTyping: true },
    ]);
    expect(seen()).toEqual(["Name of ada"]);
    expect(seen(ASIDE)).toEqual([]);
    await bob.platform.clock.advance(3_000);
    ada.chat.typing(GENERAL, "something");
    expect(ada.seat.cast).toHaveLength(2);
    await bob.platform.clock.advance(5_900);
    expect(seen()).toEqual(["Name of ada"]);
    await bob.platform.clock.advance(200);
    expect(seen()).toEqual([]);
    expect(bob.chat.state.getState().typing.size).toBe(0);
  });

  it("end with a message; the next keystroke starts again", async () => {
    ada.chat.typing(GENERAL, "something");
    await ada.chat.send(GENERAL, { content: "done" });
    await bob.settle();
    expect(seen()).toEqual([]);
    ada.chat.typing(GENERAL, "something");
    expect(seen()).toEqual(["Name of ada"]);
    bob.hear(sign("ada", { isTyping: false }));
    expect(seen()).toEqual([]);
  });

  it("end when the text is cleared, and start again with the next word", async () => {
    ada.chat.typing(GENERAL, "s");
    expect(seen()).toEqual(["Name of ada"]);
    ada.chat.typing(GENERAL, "");
    expect(seen()).toEqual([]);
    // However fast the user types, there is at most one message per second.
    for (let keys = 0; keys < 20; keys += 1) ada.chat.typing(GENERAL, keys % 2 === 0 ? "s" : "");
    expect(ada.seat.cast).toMatchObject([{ isTyping: true }, { isTyping: false }]);
    await bob.platform.clock.advance(1_000);
    ada.chat.typing(GENERAL, "so");
    expect(seen()).toEqual(["Name of ada"]);
    expect(ada.seat.cast).toMatchObject([{ isTyping: true }, { isTyping: false }, { isTyping: true }]);
  });

  it("need no end after they have expired", async () => {
    ada.chat.typing(GENERAL, "");
    ada.chat.typing(GENERAL, "s");
    await bob.platform.clock.advance(6_000);
    ada.chat.typing(GENERAL, "");
    ada.chat.typing(ASIDE, "");
    expect(ada.seat.cast).toHaveLength(1);
  });

  it("are not sent if the user has turned them off", () => {
    ada.preferences.setState({ tellsTyping: false });
    ada.chat.typing(GENERAL, "something");
    expect(ada.seat.cast).toEqual([]);
  });

  it("ignore this account, and users of servers that are not ours", () => {
    bob.hear(sign("bob"));
    bob.hear(sign("eve", { serverId: "elsewhere" }));
    bob.hear(sign("eve"), "https://evil.example");
    expect(bob.chat.state.getState().typing.size).toBe(0);
  });

  it("cover many users up to a limit, each expiring alone", async () => {
    for (let at = 0; at < 200; at += 1) bob.hear(sign(`user-${at}`));
    expect(seen()).toHaveLength(100);
    await bob.platform.clock.advance(3_000);
    bob.hear(sign("user-7"));
    await bob.platform.clock.advance(3_100);
    expect(seen()).toEqual(["user-7"]);
    bob.chat.stop();
    expect(seen()).toEqual([]);
  });
});
