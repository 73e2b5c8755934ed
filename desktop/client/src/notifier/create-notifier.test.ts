import { beforeEach, describe, expect, it } from "@jest/globals";
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import { aMessage, aRoom, T0 } from "@hearth/store/testing";
import { channelKey } from "../chat/chat.ts";
import type { ChatState, NewMention } from "../chat/chat.ts";
import type { ServersState } from "../servers/servers.ts";
import { createPreferences } from "../preferences/create-preferences.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { createFakeDevice } from "../testing/fake-device.ts";
import type { FakeDevice } from "../testing/fake-device.ts";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakePlatform } from "../testing/fake-platform.ts";
import { createNotifier } from "./create-notifier.ts";

const SERVER = "https://chat.example";

interface Tab {
  readonly platform: FakePlatform;
  readonly chat: StoreApi<ChatState>;
  readonly servers: StoreApi<ServersState>;
  readonly preferences: Preferences;
  readonly sounds: number[];
  /** "server user" */
  readonly blocked: Set<string>;
  arrive(arrival: NewMention): void;
  close(): void;
}

const arrival = (
  id: string,
  fields: { roomId?: string; isMention?: boolean; at?: number } = {},
): NewMention => {
  const { roomId = "room-1", isMention = false, at = 0 } = fields;
  const position = { roomId, timestamp: T0 + at, senderId: "user-2" };
  const extra = { revision: 0, editedAt: null, deletedAt: null, updatedAt: T0 };
  return {
    channel: { roomId, channelId: "channel-1" },
    message: { ...aMessage(id, position), ...extra },
    isMention,
  };
};

function openTab(device: FakeDevice): Tab {
  const platform = createFakePlatform({ device });
  platform.setNotificationLevel("granted");
  platform.attend({ isAttended: false, isVisible: false });
  const chat = createStore<ChatState>(() => ({ activity: new Map(), typing: new Map() }));
  const rooms = [
    aRoom({ signalServerUrl: SERVER, actorUserId: "user-me" }),
    aRoom({
      id: "room-2",
      name: "Kitchen",
      signalServerUrl: "https://other.example",
      actorUserId: "user-me",
    }),
  ];
  const servers = createStore<ServersState>(() => ({
    phase: "ready",
    servers: new Map(rooms.map((room) => [room.id, { room, joinState: "joined", present: new Map() }])),
  }));
  const listeners = new Set<(one: NewMention) => void>();
  const preferences = createPreferences(platform);
  const sounds: number[] = [];
  const blocked = new Set<string>();
  const notifier = createNotifier({
    ...{ platform, servers, preferences },
    isBlocked: (url, userId) => blocked.has(`${url} ${userId}`),
    servers: { state: servers },
    chat: {
      state: chat,
      onArrival: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    words: ({ roomName, arrivals }) => ({
      title: roomName,
      body: arrivals.map(({ message }) => message.id).join(" "),
    }),
    playSound: () => void sounds.push(platform.now()),
  });
  notifier.start();
  return {
    ...{ platform, chat, servers, preferences, sounds, blocked },
    arrive: (one) => listeners.forEach((tell) => tell(one)),
    close: () => {
      notifier.stop();
      platform.leave();
    },
  };
}

const read = (tab: Tab, first: { timestamp: number; id: string } | null): void => {
  const counted = { messages: first ? 1 : 0, mentions: 0, first, lastMessageAt: T0 + 1_000, hasDraft: false };
  const key = channelKey({ roomId: "room-1", channelId: "channel-1" });
  tab.chat.setState({ activity: new Map([[key, counted]]) });
};

describe("the notifier", () => {
  let device: FakeDevice;
  let tab: Tab;
  const later = async (milliseconds = 1_500): Promise<void> => device.clock.advance(milliseconds);
  const shown = (one: Tab = tab) =>
    one.platform.shown.map(({ title, body, isShown }) => ({ title, body, isShown }));
  beforeEach(async () => {
    device = createFakeDevice();
    tab = openTab(device);
    await later(0);
  });

  it("notifies about a message and links to it", async () => {
    tab.arrive(arrival("m-1"));
    await later();
    expect(tab.platform.shown).toEqual([
      {
        title: "Garden",
        body: "m-1",
        tag: "room:room-1",
        target: { signalServerUrl: SERVER, roomId: "room-1", messageId: "m-1" },
        isShown: true,
      },
    ]);
    expect(tab.sounds).toHaveLength(1);
  });

  it("AB12 does not notify about blocked users", async () => {
    tab.blocked.add(`${SERVER} user-2`);
    tab.arrive(arrival("m-1"));
    tab.arrive(arrival("m-2", { roomId: "room-2" }));
    await later();
    expect(shown().map(({ body }) => body)).toEqual(["m-2"]);
  });

  it("AB12 does not notify if the user was blocked just after the message", async () => {
    tab.arrive(arrival("m-1"));
    tab.arrive(arrival("m-2", { roomId: "room-2" }));
    tab.blocked.add(`${SERVER} user-2`);
    await later();
    expect(shown().map(({ body }) => body)).toEqual(["m-2"]);
  });

  it("notifies about a burst once per room, with one sound", async () => {
    for (const id of ["m-1", "m-2", "m-2"]) tab.arrive(arrival(id));
    tab.arrive(arrival("m-3", { roomId: "room-2" }));
    await later();
    expect(shown()).toEqual([
      { title: "Garden", body: "m-1 m-2", isShown: true },
      { title: "Kitchen", body: "m-3", isShown: true },
    ]);
    expect(tab.sounds).toHaveLength(1);
  });

  it("replaces a room's notification by one about all unread messages", async () => {
    tab.arrive(arrival("m-1"));
    await later();
    tab.arrive(arrival("m-2", { at: 1 }));
    await later();
    expect(shown()).toEqual([
      { title: "Garden", body: "m-1", isShown: false },
      { title: "Garden", body: "m-1 m-2", isShown: true },
    ]);
  });

  it.each([
    ["the person looks at the page", () => tab.platform.attend({ isAttended: true })],
    ["notifications are not allowed", () => tab.platform.setNotificationLevel("denied")],
    ["the person wants none", () => tab.preferences.change({ notify: "nothing" })],
    ["the person wants mentions", () => tab.preferences.change({ notify: "mentions" })],
    ["its signaling server is muted", () => tab.preferences.change({ mutedServers: [SERVER] })],
    [
      "its room is muted",
      () => {
        const room = aRoom({ muted: true });
        tab.servers.setState({
          servers: new Map([[room.id, { room, joinState: "joined", present: new Map() }]]),
        });
      },
    ],
    ["its room is not known", () => tab.servers.setState({ servers: new Map() })],
  ])("is silent while %s", async (_, arrange) => {
    arrange();
    tab.arrive(arrival("m-1"));
    await later();
    expect(shown()).toEqual([]);
    expect(tab.sounds).toEqual([]);
  });

  it("notifies about mentions only, if the user chose that", async () => {
    tab.preferences.change({ notify: "mentions" });
    tab.arrive(arrival("m-1", { isMention: true }));
    tab.arrive(arrival("m-2"));
    await later();
    expect(shown()).toEqual([{ title: "Garden", body: "m-1", isShown: true }]);
  });

  it("notifies without a sound, if the user chose that", async () => {
    tab.preferences.change({ sound: false });
    tab.arrive(arrival("m-1"));
    await later();
    expect(shown()).toHaveLength(1);
    expect(tab.sounds).toEqual([]);
  });

  it("does not notify about messages that were read on another device meanwhile", async () => {
    tab.arrive(arrival("m-1"));
    tab.arrive(arrival("m-2", { at: 5 }));
    read(tab, { timestamp: T0 + 5, id: "m-2" });
    await later();
    expect(shown()).toEqual([{ title: "Garden", body: "m-2", isShown: true }]);
  });

  it("removes a notification whose messages were read elsewhere", async () => {
    tab.arrive(arrival("m-1"));
    await later();
    read(tab, { timestamp: T0, id: "m-1" });
    expect(shown()).toMatchObject([{ isShown: true }]);
    read(tab, null);
    expect(shown()).toMatchObject([{ isShown: false }]);
  });

  it("decides after the message was counted", async () => {
    const key = channelKey({ roomId: "room-1", channelId: "channel-1" });
    const old = { messages: 0, mentions: 0, first: null, lastMessageAt: T0 - 1, hasDraft: false };
    tab.chat.setState({ activity: new Map([[key, old]]) });
    tab.arrive(arrival("m-1"));
    await later();
    expect(shown()).toHaveLength(1);
  });

  describe("with another tab", () => {
    let other: Tab;
    beforeEach(async () => {
      other = openTab(device);
      await later(0);
    });

    it("notifies once, whichever tab the message arrived in", async () => {
      for (const one of [tab, other]) one.arrive(arrival("m-1"));
      other.arrive(arrival("m-2"));
      await later();
      expect([...shown(tab), ...shown(other)]).toEqual([{ title: "Garden", body: "m-1 m-2", isShown: true }]);
    });

    it("is silent while the user looks at the other tab", async () => {
      other.platform.attend({ isAttended: true });
      tab.arrive(arrival("m-1"));
      await later();
      expect([...shown(tab), ...shown(other)]).toEqual([]);
    });

    it("continues when the notifying tab closes", async () => {
      tab.arrive(arrival("m-1"));
      await later(500);
      tab.close();
      await later();
      expect(shown(other)).toEqual([{ title: "Garden", body: "m-1", isShown: true }]);
    });
  });
});
