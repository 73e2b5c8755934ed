import { createStore } from "zustand/vanilla";
import type { StoreApi } from "zustand/vanilla";
import type { ClientStore } from "@hearth/store";
import type { Accounts } from "../accounts/accounts.ts";
import type { ClientInstance, Connection, Connections, Incoming } from "../connection/connection.ts";
import type { Platform } from "../ports.ts";
import type { AccountSync, AccountSyncState, Applied } from "./account-sync.ts";
import { inFrames } from "./snapshots/chunks.ts";
import { createReceivedSnapshots } from "./snapshots/received-snapshots.ts";
import { openSyncSession } from "./sync-session.ts";
import type { SyncSession } from "./sync-session.ts";
import { createSyncRecords } from "./sync-records.ts";
import { createSyncOutbox } from "./sync-outbox.ts";
import type { Send } from "./sync-outbox.ts";

const MAX_SEEN = 20;
/** Delay between retries after a failure that may pass. */
const RETRY_MS = 5_000;

export interface AccountSyncDependencies {
  readonly platform: Platform;
  readonly store: ClientStore;
  readonly accounts: Pick<Accounts, "state" | "actorId">;
  readonly connections: Pick<Connections, "on" | "onOnline">;
  readonly instance: ClientInstance;
  readonly deviceName: string;
}

const initial: AccountSyncState = { progress: null, lastSyncedAt: null, seen: [], queued: 0 };

/** The home account and its connection while it is online. */
interface Link {
  readonly connection: Connection;
  readonly me: { readonly id: string; readonly homeUrl: string };
  readonly session: Promise<SyncSession>;
  readonly ended: AbortController;
}

type PeerOnline = Extract<Incoming, { readonly type: "account_sync_peer_online" }>;

/** Runs one flush at a time, and another one if something was added meanwhile. */
function createFlushing(platform: Platform, flush: () => Promise<boolean>, isOnline: () => boolean) {
  let isRunning = false;
  let isWanted = false;
  let cancelRetry: () => void = () => undefined;
  const wake = (): void => {
    isWanted = true;
    if (!isRunning && isOnline()) void run();
  };
  const run = async (): Promise<void> => {
    cancelRetry();
    isRunning = true;
    isWanted = false;
    const isDone = await flush();
    isRunning = false;
    if (!isDone) cancelRetry = platform.later(RETRY_MS, wake);
    else wakeIfWanted();
  };
  const wakeIfWanted = (): void => {
    if (isWanted) wake();
  };
  return { wake, stop: (): void => cancelRetry() };
}

const sendBy =
  ({ platform, instance }: AccountSyncDependencies, connection: Connection): Send =>
  async (payload) => {
    for (const frame of inFrames(payload, () => platform.newId()))
      await connection.request({ type: "account_sync", clientInstanceId: instance.id, payload: frame });
  };

type OpenSession = (connection: Connection, me: Link["me"]) => Promise<SyncSession>;

/** Opens a session when the home instance is online, and closes it when it is not. */
function createLinks({ accounts, connections }: AccountSyncDependencies, openSession: OpenSession) {
  let link: Link | null = null;
  const close = (): void => {
    const closing = link;
    link = null;
    closing?.ended.abort();
    void closing?.session.then((session) => session.close()).catch(() => undefined);
  };
  const open = (connection: Connection, me: Link["me"]): void => {
    close();
    const opened: Link = {
      connection,
      me,
      session: openSession(connection, me),
      ended: new AbortController(),
    };
    link = opened;
    const unsubscribe = connection.state.subscribe(({ status }) => {
      if (status === "online") return;
      unsubscribe();
      if (link === opened) close();
    });
  };
  return {
    close,
    current: (): Link | null => link,
    follow: (onOpen: () => void): (() => void) =>
      connections.onOnline((url, connection) => {
        const id = accounts.actorId(url);
        if (url !== accounts.state.getState().homeUrl || id === null) return;
        open(connection, { id, homeUrl: url });
        onOpen();
      }),
  };
}

/** Handles messages of the home instance one after the other. */
function createReceiver(
  { instance, platform }: AccountSyncDependencies,
  state: StoreApi<AccountSyncState>,
  current: () => Link | null,
) {
  let lastSender: string | null = null;
  let work: Promise<void> = Promise.resolve();
  /** What cannot be stored comes again with the sender's next snapshot. */
  const inOrder = (run: () => Promise<void>): void => {
    work = work.then(run).catch(() => undefined);
  };
  const see = async ({ clientInstanceId, device }: PeerOnline): Promise<void> => {
    if (await instance.isHere(clientInstanceId)) return;
    const others = state.getState().seen.filter((one) => one.clientInstanceId !== clientInstanceId);
    const one = { clientInstanceId, name: device.name ?? "", at: platform.now() };
    state.setState({ seen: [one, ...others].slice(0, MAX_SEEN) });
  };
  return {
    lastSender: () => lastSender,
    receive: (url: string, message: Incoming): void => {
      const link = current();
      if (!link || url !== link.me.homeUrl) return;
      const { session, me } = link;
      if (message.type === "account_sync_peer_online") {
        if (message.clientInstanceId === instance.id) return;
        void see(message).catch(() => undefined);
        inOrder(async () => (await session).peerOnline(message));
      } else if (message.type === "account_sync") {
        const { clientInstanceId: from, fromUserId, payload } = message;
        if (from === instance.id || fromUserId !== me.id) return;
        lastSender = from;
        inOrder(async () => (await session).receive(from, payload));
      }
    },
  };
}

/** See `AccountSync`. */
export function createAccountSync(dependencies: AccountSyncDependencies): AccountSync {
  const { platform, store, accounts, connections, instance, deviceName } = dependencies;
  const state = createStore<AccountSyncState>(() => initial);
  const listeners = new Set<(applied: Applied) => void>();
  const records = createSyncRecords(platform, store);
  const outbox = createSyncOutbox(platform, store);
  const receivedSnapshots = createReceivedSnapshots();
  const endings: (() => void)[] = [];

  const links = createLinks(dependencies, async (connection, me) =>
    openSyncSession({
      ...{ platform, store, records, receivedSnapshots, deviceName, me },
      ...{ tabs: platform.tabs, instanceId: instance.id },
      isHere: async (id) => instance.isHere(id),
      actorId: (url) => accounts.actorId(url),
      send: sendBy(dependencies, connection),
      onApplied: (applied) => listeners.forEach((listener) => listener(applied)),
      onProgress: (progress) => state.setState({ progress }),
      onSynced: () => state.setState({ lastSyncedAt: platform.now() }),
    }),
  );
  const receiver = createReceiver(dependencies, state, links.current);
  const flush = async (): Promise<boolean> => {
    const link = links.current();
    return link ? outbox.flush(sendBy(dependencies, link.connection), link.ended.signal) : true;
  };
  const flushing = createFlushing(platform, flush, () => links.current() !== null);
  const requestSync = (to: string | null, everything: boolean): void =>
    void links
      .current()
      ?.session.then(async (session) => session.requestSync(to, everything))
      .catch(() => undefined);
  const onOpen = (): void => {
    requestSync(null, false);
    flushing.wake();
  };
  return {
    state,
    send(payload) {
      outbox.add(payload);
      flushing.wake();
    },
    onApplied(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    runAgain: () => requestSync(state.getState().seen[0]?.clientInstanceId ?? receiver.lastSender(), true),
    async start() {
      const count = outbox.length.subscribe((queued) => state.setState({ queued }));
      endings.push(count, connections.on(receiver.receive), links.follow(onOpen));
      await outbox.start();
      state.setState({ lastSyncedAt: await records.lastSyncedAt() });
    },
    stop() {
      for (const end of endings.splice(0)) end();
      flushing.stop();
      links.close();
    },
  };
}
