import type { Credential } from "@hearth/contracts";
import { clientPlatform, loadClient, type Watched } from "./client.ts";
import { accountsOf } from "./member.ts";

interface SyncView {
  readonly progress: { readonly direction: string } | null;
  readonly lastSyncedAt: number | null;
  readonly seen: readonly { readonly clientInstanceId: string; readonly name: string }[];
  readonly queued: number;
}

type Payload = Readonly<Record<string, unknown>> & { readonly type: string };

interface AccountSync {
  readonly state: Watched<SyncView>;
  send(payload: Payload): void;
  runAgain(): void;
  start(): Promise<void>;
  stop(): void;
}

interface Connections {
  readonly states: Watched<ReadonlyMap<string, { readonly status: string; readonly attempts: number }>>;
  start(): void;
  stop(): void;
}

/** A message as the suite writes it on one device and reads it on another. */
export interface Store {
  saveRooms(rooms: readonly object[]): Promise<void>;
  saveMessages(messages: readonly object[]): Promise<void>;
  editMessages(edits: readonly object[]): Promise<void>;
  changeReactions(changes: readonly object[]): Promise<void>;
  saveFriends(friends: readonly object[]): Promise<void>;
  saveEmoji(emoji: readonly object[]): Promise<void>;
  message(id: string): Promise<{ readonly content: string } | undefined>;
  close(): void;
}

type Make<Made> = (options: object) => Made;

const load = async () => ({
  ...((await loadClient("connection/create-connections.ts")) as {
    readonly createConnections: Make<Connections>;
  }),
  ...((await loadClient("sync/create-account-sync.ts")) as { readonly createAccountSync: Make<AccountSync> }),
  ...((await loadClient("sync/testing/store-contents.ts")) as {
    readonly storeContents: (store: Store) => Promise<unknown>;
  }),
  ...((await loadClient("../../store/src/indexeddb/testing/fake-store.ts")) as {
    readonly openFakeStore: (now: () => number) => Promise<Store>;
  }),
});

/** The only tab of its browser. */
const onlyTab = () => {
  const last = new Map<string, Promise<void>>();
  return {
    post: () => undefined,
    onMessage: () => () => undefined,
    exclusive: async (name: string, work: () => Promise<void>) => {
      const run = (last.get(name) ?? Promise.resolve()).catch(() => undefined).then(work);
      last.set(name, run);
      return run;
    },
  };
};

/** One of an account's devices: the client's account sync over its own connection and store. */
export interface SyncDevice {
  readonly clientInstanceId: string;
  readonly store: Store;
  readonly sync: AccountSync;
  readonly everything: () => Promise<unknown>;
  readonly isOnline: () => boolean;
  readonly goOnline: () => void;
  readonly goOffline: () => void;
  readonly close: () => void;
}

/** It is offline at first. */
export async function openSyncDevice(
  url: string,
  credential: Credential,
  deviceName: string,
): Promise<SyncDevice> {
  const { createConnections, createAccountSync, storeContents, openFakeStore } = await load();
  const clientInstanceId = crypto.randomUUID();
  const platform = { ...(await clientPlatform()), deviceName, tabs: onlyTab() };
  const accounts = await accountsOf(url, credential);
  const store = await openFakeStore(() => Date.now());
  const instance = { id: clientInstanceId, isHere: async () => false };
  const connections = createConnections({ platform, accounts, instance });
  const sync = createAccountSync({ platform, store, accounts, connections, instance, deviceName });
  await sync.start();
  return {
    ...{ clientInstanceId, store, sync },
    everything: () => storeContents(store),
    isOnline: () => connections.states.getState().get(url)?.status === "online",
    goOnline: () => connections.start(),
    goOffline: () => connections.stop(),
    close: () => {
      sync.stop();
      connections.stop();
      store.close();
    },
  };
}
