import { silentLog } from "@hearth/runtime";
import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { DeviceRoom } from "@hearth/device";
import { aRoom } from "@hearth/store/testing";
import type { ClientStore } from "@hearth/store";
import { openDeviceStore } from "@hearth/store/sqlite";
import type { AccountsState } from "../../accounts/accounts.ts";
import type { BlocksState } from "../../blocks/blocks.ts";
import type { Connection, Incoming } from "../../connection/connection.ts";
import type { SavedServer, ServersState } from "../../servers/servers.ts";
import type { PreferencesState } from "../../preferences/preferences.ts";
import { createRest } from "../../rest/create-rest.ts";
import type { Applied } from "../../sync/account-sync.ts";
import { settled } from "../../testing/fake-clock.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { SyncPayloads } from "../../wire.ts";
import type { Chat } from "../chat.ts";
import type { ChatDeps } from "../chat-deps.ts";
import { createChat } from "../create-chat.ts";
import type { ChatServer, Seat } from "./chat-server.ts";

export const ROOM = "0198c0de-0000-7000-8000-00000000000a";
export const GENERAL = { roomId: ROOM, channelId: "channel-1" };
export const ASIDE = { roomId: ROOM, channelId: "channel-2" };

export const chatRoomRecord = (url: string, userId: string, fields: Partial<DeviceRoom> = {}): DeviceRoom =>
  aRoom({
    id: ROOM,
    signalServerUrl: url,
    actorUserId: userId,
    ownerId: "owner",
    channels: [
      { id: "channel-1", name: "general", kind: "text", position: 0 },
      { id: "channel-2", name: "aside", kind: "text", position: 1 },
      { id: "channel-3", name: "parlour", kind: "voice", position: 2 },
    ],
    ...fields,
  });

/** A client in one room. The test controls everything around its chat. */
export interface Chatter {
  readonly chat: Chat;
  readonly store: ClientStore;
  readonly platform: FakePlatform;
  readonly seat: Seat;
  readonly deps: ChatDeps;
  readonly synced: SyncPayloads[];
  readonly accounts: StoreApi<AccountsState>;
  readonly servers: StoreApi<ServersState>;
  readonly preferences: StoreApi<PreferencesState>;
  readonly blocks: StoreApi<BlocksState>;
  /** A message of the server, or a stored payload of another device. */
  hear(message: unknown, url?: string): void;
  apply(applied: Applied): void;
  goOnline(): void;
  goOffline(): void;
  settle(): Promise<void>;
}

export interface ChatterOptions {
  readonly userId: string;
  readonly store?: ClientStore;
  readonly platform?: FakePlatform;
  readonly instanceId?: string;
  readonly room?: Partial<DeviceRoom>;
}

/** An in-memory store of its own. */
export const memoryStore = (platform: FakePlatform): ClientStore =>
  openDeviceStore({ file: ":memory:", log: silentLog, clock: { now: () => platform.now() } }).client;

export const accountsOf = (url: string, userId: string): AccountsState => ({
  phase: "signed-in",
  homeUrl: url,
  ended: null,
  instances: [
    {
      ...{ url, isHome: true, authorization: "authorized", failure: null, isNewlyProvisioned: false },
      account: {
        userId,
        username: userId,
        displayName: `Name of ${userId}`,
        expiresAt: 0,
        autoProvisioned: false,
      },
    },
  ],
});

const defaultPreferences: PreferencesState = {
  ...{ theme: "system", density: "comfortable", tellsTyping: true, notify: "all", sound: true },
  ...{ mutedServers: [], enterSends: true, keepAtMost: null },
};

const serversOf = (room: DeviceRoom, joinState: SavedServer["joinState"]): ServersState => ({
  phase: "ready",
  servers: new Map([[room.id, { room, joinState, present: new Map() }]]),
});

class Listeners<Arguments extends readonly unknown[]> {
  private readonly all = new Set<(...values: Arguments) => void>();

  readonly add = (listener: (...values: Arguments) => void): (() => void) => {
    this.all.add(listener);
    return () => void this.all.delete(listener);
  };

  tell(...values: Arguments): void {
    for (const listener of [...this.all]) listener(...values);
  }
}

export function createChatter(server: ChatServer, options: ChatterOptions): Chatter {
  const { userId, platform = createFakePlatform(), instanceId = `instance-of-${userId}` } = options;
  const store = options.store ?? memoryStore(platform);
  const incoming = new Listeners<[string, Incoming]>();
  const online = new Listeners<[string, Connection]>();
  const applied = new Listeners<[Applied]>();
  const synced: SyncPayloads[] = [];
  const hear = (message: unknown, url = server.url): void => incoming.tell(url, message as Incoming);
  const seat = server.sit({ userId, displayName: `Name of ${userId}` }, hear);
  const room = chatRoomRecord(server.url, userId, options.room);
  const servers = createStore(() => serversOf(room, "joined"));
  const blocks = createStore<BlocksState>(() => new Map());
  const preferences = createStore<PreferencesState>(() => defaultPreferences);
  const accounts = createStore(() => accountsOf(server.url, userId));
  const deps: ChatDeps = {
    platform,
    store,
    rest: createRest({ platform, token: () => "token", onAuthFailure: () => undefined }),
    accounts: {
      ...{ state: accounts, actorId: (url) => (url === server.url ? userId : null) },
    },
    connections: {
      of: (url) => (url === server.url ? seat.connection : null),
      on: incoming.add,
      onOnline: online.add,
    },
    servers: { state: servers },
    instance: { id: instanceId },
    preferences: { state: preferences },
    blocks: { state: blocks, isBlocked: (url, userId) => blocks.getState().get(url)?.has(userId) === true },
    sendToDevices: (payload) => void synced.push(payload),
    onApplied: applied.add,
  };
  const goOffline = (): void => {
    seat.state.setState({ status: "waiting" });
    servers.setState(serversOf(room, "offline"));
  };
  seat.onBreak = goOffline;
  return {
    ...{
      chat: createChat(deps),
      store,
      platform,
      seat,
      deps,
      synced,
      ...{ accounts, servers, preferences, blocks },
      hear,
      goOffline,
    },
    apply: (change) => applied.tell(change),
    goOnline() {
      seat.state.setState({ status: "online" });
      online.tell(server.url, seat.connection);
      servers.setState(serversOf(room, "joined"));
    },
    settle: async () => settled(4),
  };
}

/** Started. */
export async function startedChatter(server: ChatServer, options: ChatterOptions): Promise<Chatter> {
  const chatter = createChatter(server, options);
  await chatter.store.saveRooms([chatRoomRecord(server.url, options.userId, options.room)]);
  await chatter.chat.start();
  await chatter.settle();
  return chatter;
}

/** The newest messages of a channel as stored. */
export const talk = async ({ store }: Chatter, place = GENERAL): Promise<readonly string[]> => {
  const { messages } = await store.messagesBefore(place, { limit: 500, before: null });
  return messages.map(({ content, delivery }) =>
    delivery === "sent" ? content : `${content} (${delivery})`,
  );
};
