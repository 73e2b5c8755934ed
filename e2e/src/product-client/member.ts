import type { Credential, JoinedServer } from "@hearth/contracts";
import { type ClientConnection, clientPlatform, createStore, loadClient, type Watched } from "./client.ts";

interface Place {
  readonly joinState: string;
  readonly room: {
    readonly name: string;
    readonly role: string;
    readonly muted: boolean;
    readonly channels: readonly { readonly name: string }[];
  };
  readonly present: ReadonlyMap<string, { readonly displayName: string; readonly status: string }>;
}

interface Servers {
  readonly state: Watched<{ readonly phase: string; readonly servers: ReadonlyMap<string, Place> }>;
  onLost(listener: (lost: { readonly roomId: string; readonly reason: string }) => void): void;
  create(url: string, server: object): Promise<JoinedServer>;
  join(url: string, serverId: string): Promise<JoinedServer>;
  leave(roomId: string): Promise<void>;
  update(roomId: string, changes: object): Promise<void>;
  mute(roomId: string, muted: boolean): Promise<void>;
  setStatus(status: string): void;
  start(): Promise<void>;
  stop(): void;
}

interface Connections {
  of(url: string): ClientConnection | null;
  start(): void;
  stop(): void;
}

type Make<Made> = (options: object) => Made;

/** A user of the server with the client's servers, REST, connections and store. */
export interface MemberDevice extends AsyncDisposable {
  readonly servers: Servers;
  readonly lost: readonly (readonly [roomId: string, reason: string])[];
  readonly told: readonly { readonly type: string }[];
  readonly place: (roomId: string) => Place | undefined;
  /** Resolves as soon as the server matches. */
  readonly sees: (roomId: string, wanted: (place: Place | undefined) => boolean) => Promise<void>;
  readonly goOffline: () => void;
  readonly goOnline: () => void;
}

const PATIENCE_MS = 10_000;

const seen = (state: Servers["state"], wanted: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error("the place does not look as it should"));
    }, PATIENCE_MS);
    const look = (): void => {
      if (!wanted()) return;
      clearTimeout(timer);
      end();
      resolve();
    };
    const end = state.subscribe(look);
    look();
  });

const load = async () => ({
  ...((await loadClient("rest/create-rest.ts")) as { readonly createRest: Make<object> }),
  ...((await loadClient("connection/create-connections.ts")) as {
    readonly createConnections: Make<Connections>;
  }),
  ...((await loadClient("servers/create-servers.ts")) as { readonly createServers: Make<Servers> }),
  ...((await loadClient("../../store/src/indexeddb/testing/fake-store.ts")) as {
    readonly openFakeStore: (now: () => number) => Promise<{ close(): void }>;
  }),
});

/** The home account only, as the client's accounts report it. */
export const accountsOf = async (url: string, { id, token, ...rest }: Credential) => {
  const account = { ...rest, userId: id, autoProvisioned: false };
  const instance = { url, isHome: true, authorization: "authorized", account, failure: null };
  const state = await createStore(() => ({
    phase: "signed-in",
    homeUrl: url,
    instances: [instance],
    ended: null,
  }));
  return {
    state,
    token: () => token,
    actorId: () => id,
    ensureAccount: async () => account,
    signalServerAuthFailed: () => undefined,
  };
};

export async function openMember(url: string, credential: Credential): Promise<MemberDevice> {
  const { createRest, createConnections, createServers, openFakeStore } = await load();
  const platform = await clientPlatform();
  const accounts = await accountsOf(url, credential);
  const store = await openFakeStore(() => Date.now());
  const rest = createRest({ platform, token: accounts.token, onAuthFailure: () => undefined });
  const connections = createConnections({ platform, accounts, instance: { id: crypto.randomUUID() } });
  const told: { readonly type: string }[] = [];
  const sendToDevices = (payload: { readonly type: string }): void => void told.push(payload);
  const servers = createServers({ platform, rest, accounts, connections, store, sendToDevices });
  const lost: (readonly [string, string])[] = [];
  servers.onLost(({ roomId, reason }) => void lost.push([roomId, reason]));
  await servers.start();
  connections.start();
  const place = (roomId: string): Place | undefined => servers.state.getState().servers.get(roomId);
  return {
    servers,
    lost,
    told,
    place,
    sees: (roomId, wanted) => seen(servers.state, () => wanted(place(roomId))),
    goOffline: () => connections.stop(),
    goOnline: () => connections.start(),
    [Symbol.asyncDispose]: async () => {
      connections.stop();
      servers.stop();
      store.close();
    },
  };
}
