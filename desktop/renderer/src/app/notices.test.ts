import { describe, expect, it } from "@jest/globals";
import { createStore } from "zustand/vanilla";
import type { AccountsState } from "@hearth/client";
import type { ChatState, NewMention } from "@hearth/client";
import { createNotifier } from "@hearth/client";
import type { ServersState } from "@hearth/client";
import { createPreferences } from "@hearth/client";
import { createFakePlatform } from "@hearth/client/testing";
import type { DeviceMessage } from "@hearth/device";
import { aMessage, aRoom, T0 } from "@hearth/store/testing";
import { noticeWords, whileSignedIn } from "./notices.ts";

const arrival = (senderDisplayName: string, content: string, isMention = false) => ({
  channel: { roomId: "r", channelId: "c" },
  message: { senderDisplayName, content } as DeviceMessage,
  isMention,
});

describe("what a notification says", () => {
  it("names the sender and the place of one message, and shows its text without marks", () => {
    expect(
      noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "**Tea** [now](https://a.example)?")] }),
    ).toEqual({
      title: "Ada in Kitchen",
      body: "Tea now?",
    });
  });

  it("says so when it is a mention", () => {
    const { title } = noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "@ben", true)] });
    expect(title).toBe("Ada mentioned you in Kitchen");
  });

  it("counts several, shows the latest three, and tells of a mention among them first", () => {
    const many = ["one", "two", "three", "four"].map((text) => arrival("Ada", text));
    expect(noticeWords({ roomName: "Kitchen", arrivals: many })).toEqual({
      title: "4 new messages in Kitchen",
      body: "Ada: two\nAda: three\nAda: four",
    });
    const mention = noticeWords({ roomName: "Kitchen", arrivals: [...many, arrival("Ben", "@you", true)] });
    expect(mention.title).toBe("Ben mentioned you in Kitchen");
  });

  it("stays short", () => {
    const { body } = noticeWords({ roomName: "Kitchen", arrivals: [arrival("Ada", "word ".repeat(500))] });
    expect(body.length).toBeLessThanOrEqual(201);
  });
});

it("what was told of somebody's messages is taken away when they sign out, and the next one is told again", async () => {
  const platform = createFakePlatform();
  platform.setNotificationLevel("granted");
  platform.attend({ isAttended: false, isVisible: false });
  const room = aRoom({ actorUserId: "user-me" });
  const servers = createStore<ServersState>(() => ({
    phase: "ready",
    servers: new Map([[room.id, { room, joinState: "joined", present: new Map() }]]),
  }));
  const listeners = new Set<(one: NewMention) => void>();
  const chat = {
    state: createStore<ChatState>(() => ({ activity: new Map(), typing: new Map() })),
    onArrival: (listener: (one: NewMention) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const state = createStore<AccountsState>(() => ({
    phase: "signed-in",
    homeUrl: null,
    instances: [],
    ended: null,
  }));
  const preferences = createPreferences(platform);
  const isBlocked = (): boolean => false;
  const deps = { platform, chat, servers: { state: servers }, preferences, isBlocked };
  whileSignedIn({ state }, createNotifier({ ...deps, words: noticeWords, playSound: () => undefined }));
  const arrive = async (id: string): Promise<void> => {
    await platform.clock.advance(0);
    const known = { revision: 0, editedAt: null, deletedAt: null, updatedAt: T0 };
    const message = { ...aMessage(id, { senderId: "user-2" }), ...known };
    const { roomId, channelId } = message;
    for (const tell of listeners) tell({ channel: { roomId, channelId }, message, isMention: false });
    await platform.clock.advance(1_500);
  };
  await arrive("m-1");
  expect(platform.shown).toMatchObject([{ isShown: true }]);
  state.setState({ phase: "signed-out" });
  expect(platform.shown).toMatchObject([{ isShown: false }]);
  await arrive("m-2");
  expect(platform.shown).toHaveLength(1);
  state.setState({ phase: "signed-in" });
  await arrive("m-3");
  expect(platform.shown).toMatchObject([{ isShown: false }, { isShown: true }]);
});
