import { displayName as validName } from "@hearth/contracts";
import type { Accounts, AccountsState } from "./accounts/accounts.ts";
import { createAccounts } from "./accounts/create-accounts.ts";
import { createBlocks } from "./blocks/blocks.ts";
import { createChat } from "./chat/create-chat.ts";
import type { Client } from "./client.ts";
import { createClientInstance } from "./connection/client-instance.ts";
import type { Connections } from "./connection/connection.ts";
import { createConnections } from "./connection/create-connections.ts";
import { createServers } from "./servers/create-servers.ts";
import type { Platform } from "./ports.ts";
import { createPreferences } from "./preferences/create-preferences.ts";
import type { Preferences } from "./preferences/preferences.ts";
import { createRest } from "./rest/create-rest.ts";
import type { ClientStore } from "@hearth/store";
import { createBoundedStore } from "./store/bounded-store.ts";
import { watchStore } from "./store/watched-store.ts";
import { createAccountSync } from "./sync/create-account-sync.ts";

const DATABASE = "hearth";

/** The window uses the device's database behind the bridge; a browser its own. */
async function openStore(platform: Platform): Promise<ClientStore> {
  const { bridge } = platform;
  if (bridge !== null) return (await import("./store/bridge-store.ts")).openBridgeStore(bridge);
  const { openIndexedDbStore } = await import("@hearth/store/indexeddb");
  return openIndexedDbStore({ name: DATABASE, now: () => platform.now() });
}

/** Starts all parts in order. A failure does not stop the others; the first one is thrown at the end. */
async function startAll(parts: readonly { start(): Promise<void> | void }[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part.start();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Requests persistent storage once per page, after signing in. The answer is ignored. */
function keepStorageOf({ state }: Accounts, platform: Platform): void {
  let isAsked = false;
  const follow = ({ phase }: AccountsState): void => {
    if (isAsked || phase !== "signed-in") return;
    isAsked = true;
    void platform.keepStorage();
  };
  state.subscribe(follow);
}

/** Follows the display name that each instance reports, when a connection begins and when it changes. */
const followNames = (
  accounts: Pick<Accounts, "actorId" | "noteDisplayName">,
  connections: Pick<Connections, "on">,
): (() => void) =>
  connections.on((url, message) => {
    if (message.type !== "identified" && message.type !== "user_updated") return;
    const { oderId, displayName } = message;
    if (oderId === accounts.actorId(url) && validName.safeParse(displayName).success)
      accounts.noteDisplayName(url, displayName);
  });

/** A smaller limit deletes messages for good, and arrow keys pass over it on their way to another one. */
const SMALLER_LIMIT_MS = 10_000;

const isLess = (limit: number | null, than: number | null): boolean =>
  limit !== null && (than === null || limit < than);

/** The limit in force. If trimming fails, it is repeated with the next messages. */
function limitInForce(
  { state }: Preferences,
  platform: Platform,
  trim: () => Promise<void>,
): () => number | null {
  let limit = state.getState().keepAtMost;
  let takeBack = (): void => undefined;
  state.subscribe(({ keepAtMost }, before) => {
    if (keepAtMost === before.keepAtMost) return;
    takeBack();
    const apply = (): void => {
      limit = keepAtMost;
      void trim().catch(() => undefined);
    };
    if (isLess(keepAtMost, limit)) takeBack = platform.later(SMALLER_LIMIT_MS, apply);
    else apply();
  });
  return () => limit;
}

/** Creates the whole client, not started. */
export async function createClient(platform: Platform): Promise<Client> {
  const [opened, instance] = await Promise.all([openStore(platform), createClientInstance(platform)]);
  const preferences = createPreferences(platform);
  const limit = limitInForce(preferences, platform, () => bounded.trim());
  const bounded = createBoundedStore(opened, {
    maxBytes: limit,
    onDropped: (reason) => watched.reportDropped({ reason, at: platform.now() }),
  });
  const watched = watchStore(bounded.store);
  const { store, state: storage } = watched;
  const rest = createRest({
    platform,
    token: (url) => accounts.token(url),
    onAuthFailure: (url, token, reason) => accounts.signalServerAuthFailed(url, token, reason),
  });
  const accounts = createAccounts({ platform, rest, store });
  const connections = createConnections({ platform, accounts, instance });
  const { deviceName } = platform;
  const sync = createAccountSync({ platform, store, accounts, connections, instance, deviceName });
  const sendToDevices: typeof sync.send = (payload) => sync.send(payload);
  const servers = createServers({ platform, rest, accounts, connections, store, sendToDevices });
  const blocks = createBlocks({ platform, rest, store, connections, sendToDevices });
  const chat = createChat({
    ...{ platform, store, rest, accounts, connections, servers },
    ...{ instance, preferences, blocks, sendToDevices },
    onApplied: (listener) => sync.onApplied(listener),
  });
  keepStorageOf(accounts, platform);
  followNames(accounts, connections);
  sync.onApplied((applied) => {
    // If reading fails, the servers are read again when their instance is online.
    if (applied.kind === "rooms") void servers.refresh().catch(() => undefined);
    if (applied.kind === "blocks") void blocks.refresh(applied.signalServerUrl);
  });
  return {
    ...{ platform, rest, accounts, instance, connections, store, storage },
    ...{ servers, chat, blocks, sync, preferences },
    start: () => startAll([accounts, servers, blocks, chat, sync, connections]),
    stop() {
      connections.stop();
      sync.stop();
      chat.stop();
      servers.stop();
    },
  };
}
