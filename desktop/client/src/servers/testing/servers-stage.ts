import { createStore } from "zustand/vanilla";
import type { JoinedServer } from "@hearth/contracts";
import { ERRORS } from "@hearth/contracts";
import type { DeviceRoom } from "@hearth/device";
import type { AccountsState, Instance } from "../../accounts/accounts.ts";
import { createConnections } from "../../connection/create-connections.ts";
import { serveSockets } from "../../connection/testing/scripted-server.ts";
import { ClientProblem } from "@hearth/device";
import { createRest } from "../../rest/create-rest.ts";
import type { IndexedDbStore } from "@hearth/store/indexeddb";
import { openFakeStore } from "@hearth/store/testing";
import { settled } from "../../testing/fake-clock.ts";
import { createFakePlatform } from "../../testing/fake-platform.ts";
import type { FakePlatform } from "../../testing/fake-platform.ts";
import type { SyncPayloads } from "../../wire.ts";
import { createServers } from "../create-servers.ts";
import type { ServerLost } from "../servers.ts";
import { updatedRecord } from "../server-record.ts";
import { ACTORS, HOME, idOf, ScriptedInstance, serverNamed } from "./scripted-instance.ts";

const signalServer = (url: string): Instance => ({
  url,
  isHome: url === HOME,
  authorization: "authorized",
  account: {
    userId: ACTORS[url] ?? "",
    username: "ada",
    displayName: "Ada",
    expiresAt: 1,
    autoProvisioned: false,
  },
  failure: null,
  isNewlyProvisioned: false,
});

export const signedIn = (...urls: readonly string[]): AccountsState => ({
  phase: "signed-in",
  homeUrl: HOME,
  instances: urls.map(signalServer),
  ended: null,
});

/** Long enough for the test's database, which needs turns of the event loop. */
export const calm = (): Promise<void> => settled(60);

const urlOf = (socketUrl: string): string => socketUrl.replace(/^ws/, "http").replace(/\/ws$/, "");

type Instances = Readonly<Record<string, ScriptedInstance>>;

function serve(platform: FakePlatform, instances: Instances): void {
  serveSockets(platform, ({ type, serverId, requestId }, socket) => {
    const server = instances[urlOf(socket.url)];
    if (type !== "join_server" || !server) return null;
    const refusal = server.closedRooms.get(String(serverId));
    if (refusal)
      return {
        type: "error",
        message: "No",
        retryable: ERRORS[refusal.code].retryable,
        ...refusal,
        requestId,
      };
    const channels = server.mine.find(({ id }) => id === serverId)?.channels ?? [];
    return { type: "server_joined", serverId, users: server.present, channels, requestId };
  });
  platform.network.answer((request) => instances[request.origin]?.answer(request) ?? "no-network");
}

/** The accounts as far as servers need them. A new account is added to the list. */
function accountsWith(urls: readonly string[]) {
  const state = createStore<AccountsState>(() => signedIn(...urls));
  const isIn = (url: string): boolean => state.getState().instances.some((server) => server.url === url);
  const ensured: string[] = [];
  const accounts = {
    state,
    ensured,
    failure: null as ClientProblem | null,
    token: (url: string): string | null => (isIn(url) ? `token of ${url}` : null),
    actorId: (url: string): string | null => (isIn(url) ? (ACTORS[url] ?? null) : null),
    signalServerAuthFailed: () => undefined,
    forgotten: new Set<string>(),
    isForgotten: (url: string): boolean => accounts.forgotten.has(url),
    ensureAccount: async (url: string) => {
      ensured.push(url);
      if (accounts.failure) throw accounts.failure;
      if (!isIn(url)) state.setState(signedIn(...state.getState().instances.map((it) => it.url), url));
      const { account } = signalServer(url);
      if (!account) throw new ClientProblem("NEEDS_SIGN_IN");
      return account;
    },
  };
  return accounts;
}

export async function stageServers(instances: Instances, urls: readonly string[] = Object.keys(instances)) {
  const platform = createFakePlatform({ seed: 3 });
  const store: IndexedDbStore = await openFakeStore(() => platform.now());
  serve(platform, instances);
  const accounts = accountsWith(urls);
  const rest = createRest({ platform, token: accounts.token, onAuthFailure: () => undefined });
  const connections = createConnections({ platform, accounts, instance: { id: idOf(1_000) } });
  const synced: SyncPayloads[] = [];
  const lost: ServerLost[] = [];
  const sendToDevices = (payload: SyncPayloads): void => void synced.push(payload);
  const servers = createServers({ platform, rest, accounts, connections, store, sendToDevices });
  servers.onLost((one) => void lost.push(one));
  const socketOf = (url: string) => platform.sockets.findLast((socket) => urlOf(socket.url) === url);
  const saved = (number: number) => servers.state.getState().servers.get(idOf(number));
  const dial = async (): Promise<void> => {
    connections.start();
    await calm();
  };
  return {
    platform,
    store,
    accounts,
    servers,
    lost,
    synced,
    connect: async (): Promise<void> => {
      await servers.start();
      await dial();
    },
    dial,
    /** Sends a message on the instance's newest connection. */
    say: (url: string, message: object): void => socketOf(url)?.receive(message),
    sent: (url: string, type: string) => socketOf(url)?.sentOf(type) ?? [],
    /** Breaks the newest connection to an instance; a new one follows. */
    reconnect: async (url: string): Promise<void> => {
      socketOf(url)?.drop();
      await platform.clock.advance(1_000);
      await calm();
    },
    /** Another device added servers, which are handled after a moment. */
    receiveRooms: async (...rooms: readonly DeviceRoom[]): Promise<void> => {
      await store.saveRooms(rooms);
      await servers.refresh();
      await platform.clock.advance(250);
    },
    saved,
    joinState: (number: number) => saved(number)?.joinState,
    names: () => [...servers.state.getState().servers.values()].map(({ room }) => room.name).toSorted(),
  };
}

/** Online at a home instance with these servers. */
export async function stageHome(...mine: readonly JoinedServer[]) {
  const home = new ScriptedInstance(...mine);
  const stage = await stageServers({ [HOME]: home });
  await stage.connect();
  return { ...stage, home };
}

/** A stored record of a server. */
export const savedRoom = (
  name: string,
  number: number,
  url = HOME,
  more: Partial<DeviceRoom> = {},
): DeviceRoom => ({
  ...updatedRecord(undefined, serverNamed(name, number), {
    signalServerUrl: url,
    actorUserId: ACTORS[url] ?? "",
  }),
  ...more,
});
