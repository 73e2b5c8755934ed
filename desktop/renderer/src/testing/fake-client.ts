import type { Blocks, BlocksState } from "@hearth/client";
import type { UserStatus } from "@hearth/contracts";
import { createStore } from "zustand/vanilla";
import type { AccountsEvent, AccountsState, Instance } from "@hearth/client";
import type { ChatState, TimelineMessage } from "@hearth/client";
import type { Client } from "@hearth/client";
import type { ConnectionState, Incoming } from "@hearth/client";
import type { SavedServer, ServerLost, ServersState } from "@hearth/client";
import type { Attention } from "@hearth/client";
import type { PreferencesState } from "@hearth/client";
import type { ClientProblemCode } from "@hearth/device";
import type { StorageState } from "@hearth/client";
import type { AccountSync, AccountSyncState } from "@hearth/client";
import { createFakeAccounts } from "./fake-accounts.ts";
import { createCalls } from "./fake-calls.ts";
import type { Calls } from "./fake-calls.ts";
import { createFakeChat } from "./fake-chat.ts";
import { createFakeConnections } from "./fake-connections.ts";
import { FOREIGN_URL, HOME_URL, createFakeContent } from "./fake-content.ts";
import { createFakeServers } from "./fake-servers.ts";
import { createFakePlatform } from "./fake-platform.ts";
import { createFakeRest, strangers } from "./fake-rest.ts";
import { createFakeStore } from "./fake-store.ts";

export interface ClientScenario {
  /** Epoch ms where the clock stands still; the real clock without it. */
  readonly now?: number;
  /** Milliseconds that every call takes. */
  readonly latency?: number;
  /** Calls that reject, by name (`rest.listMembers`, `servers.join`). */
  readonly failing?: Readonly<Record<string, ClientProblemCode>>;
  /** Without any server of chat. */
  readonly isEmpty?: boolean;
}

/** A client in memory for unit tests and for looking at screens; what is asked of it has its effect where that is simple. */
export interface FakeClient extends Client {
  readonly home: string;
  readonly foreign: string;
  readonly calls: readonly string[];
  readonly fail: (name: string, code: ClientProblemCode | null) => void;
  readonly set: {
    accounts(changes: Partial<AccountsState>): void;
    server(url: string, changes: Partial<Instance>): void;
    connection(url: string, changes: Partial<ConnectionState>): void;
    servers(changes: Partial<ServersState>): void;
    place(roomId: string, changes: Partial<SavedServer>): void;
    chat(changes: Partial<ChatState>): void;
    sync(changes: Partial<AccountSyncState>): void;
    storage(changes: Partial<StorageState>): void;
    attention(changes: Partial<Attention>): void;
  };
  readonly tell: {
    account(event: AccountsEvent): void;
    message(url: string, message: Incoming): void;
    arrival(message: TimelineMessage): void;
    lost(lost: ServerLost): void;
  };
}

const PREFERENCES: PreferencesState = {
  theme: "system",
  density: "comfortable",
  tellsTyping: true,
  notify: "mentions",
  sound: true,
  mutedServers: [],
  enterSends: true,
  keepAtMost: 2_000_000_000,
};

const AT_REST: AccountSyncState = { progress: null, lastSyncedAt: null, seen: [], queued: 0 };

const statusOf = (server: SavedServer, status: UserStatus): SavedServer => {
  const own = server.present.get(server.room.actorUserId);
  if (own === undefined) return server;
  return { ...server, present: new Map(server.present).set(own.oderId, { ...own, status }) };
};

function createFakeBlocks({ did }: Calls): Blocks {
  const state = createStore<BlocksState>(() => new Map());
  const of = (url: string): ReadonlySet<string> => state.getState().get(url) ?? new Set();
  const put = (url: string, ids: ReadonlySet<string>): void =>
    state.setState(new Map(state.getState()).set(url, ids), true);
  return {
    state,
    isBlocked: (url, userId) => of(url).has(userId),
    async block(url, userId) {
      await did("blocks.block", { url, userId });
      put(url, new Set([...of(url), userId]));
    },
    async unblock(url, userId) {
      await did("blocks.unblock", { url, userId });
      put(url, new Set([...of(url)].filter((id) => id !== userId)));
    },
  };
}

const syncOf = (state: AccountSync["state"], { did }: Calls): AccountSync => ({
  state,
  send: ({ type }) => void did("sync.tell", type),
  onApplied: () => () => undefined,
  runAgain: () => void did("sync.runAgain"),
  start: async () => undefined,
  stop: () => undefined,
});

export function createFakeClient(scenario: ClientScenario = {}): FakeClient {
  const now = (): number => scenario.now ?? Date.now();
  const calls = createCalls(scenario.latency ?? 0, scenario.failing ?? {});
  const full = createFakeContent(now());
  const content = scenario.isEmpty === true ? { ...full, rooms: [] } : full;
  const found = strangers(full, now());
  const { platform, attention } = createFakePlatform(HOME_URL, now);
  const accounts = createFakeAccounts(content, calls, now());
  const connections = createFakeConnections([HOME_URL, FOREIGN_URL], calls, now);
  const servers = createFakeServers(content, calls, now, found);
  const chat = createFakeChat(content, servers.state, calls, now);
  const sync = createStore<AccountSyncState>(() => AT_REST);
  const storage = createStore<StorageState>(() => ({ trouble: null, dropped: null }));
  const preferences = createStore<PreferencesState>(() => PREFERENCES);
  const change = (roomId: string, next: (server: SavedServer) => SavedServer): void => {
    const server = servers.state.getState().servers.get(roomId);
    if (server !== undefined) servers.put(next(server));
  };
  return {
    platform,
    rest: createFakeRest(content, servers.state, found, calls, now),
    accounts: accounts.accounts,
    instance: { id: crypto.randomUUID(), isHere: async () => false },
    connections: connections.connections,
    store: createFakeStore(content),
    storage,
    servers: {
      ...servers.servers,
      setStatus(status) {
        servers.servers.setStatus(status);
        for (const roomId of servers.state.getState().servers.keys())
          change(roomId, (server) => statusOf(server, status));
      },
    },
    chat: chat.chat,
    blocks: createFakeBlocks(calls),
    sync: syncOf(sync, calls),
    preferences: { state: preferences, change: (changes) => preferences.setState(changes) },
    start: async () => undefined,
    stop: () => undefined,
    home: HOME_URL,
    foreign: FOREIGN_URL,
    calls: calls.log,
    fail: calls.fail,
    set: {
      accounts: (changes) => accounts.state.setState(changes),
      server: accounts.change,
      connection: connections.set,
      servers: (changes) => servers.state.setState(changes),
      place: (roomId, changes) => change(roomId, (server) => ({ ...server, ...changes })),
      chat: (changes) => chat.state.setState(changes),
      sync: (changes) => sync.setState(changes),
      storage: (changes) => storage.setState(changes),
      attention: (changes) => attention.setState(changes),
    },
    tell: { account: accounts.tell, message: connections.say, arrival: chat.arrive, lost: servers.lose },
  };
}
