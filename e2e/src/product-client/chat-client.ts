import type { Credential } from "@hearth/contracts";
import { clientPlatform, createStore, loadClient } from "./client.ts";
import { accountsOf } from "./member.ts";

interface Place {
  readonly roomId: string;
  readonly channelId: string | null;
}

interface StoredMessage {
  readonly id: string;
  readonly content: string;
  readonly timestamp: number;
  readonly delivery: string;
}

interface Chat {
  send(place: Place, message: { readonly content: string }): Promise<void>;
  edit(messageId: string, content: string): Promise<void>;
  react(messageId: string, emoji: string, present: boolean): Promise<void>;
  onArrival(listener: (arrival: { readonly message: StoredMessage }) => void): () => void;
  start(): Promise<void>;
  stop(): void;
}

interface Store {
  messagesBefore(
    place: Place,
    page: { readonly limit: number; readonly before: null },
  ): Promise<{ readonly messages: readonly StoredMessage[] }>;
  unread(
    place: Place,
    from: { readonly after: Pick<StoredMessage, "timestamp" | "id">; readonly userId: string },
  ): Promise<{ readonly messages: number }>;
  reactions(messageId: string): Promise<readonly { readonly emoji: string }[] | undefined>;
  close(): void;
}

interface Servers {
  readonly state: {
    getState(): {
      readonly servers: ReadonlyMap<string, { readonly present: ReadonlyMap<string, unknown> }>;
    };
  };
  join(url: string, serverId: string): Promise<unknown>;
  start(): Promise<void>;
  stop(): void;
}

interface Connections {
  start(): void;
  stop(): void;
}

type Make<Made> = (options: object) => Made;

/** A user of the server with the client's chat, REST, connections, servers and store. */
export interface ChatClient {
  readonly chat: Chat;
  readonly servers: Servers;
  /** Whether it receives the server's messages. */
  readonly isIn: (roomId: string) => boolean;
  readonly store: Store;
  /** Ids in the order in which they arrived. */
  readonly arrived: readonly string[];
  readonly says: (place: Place) => Promise<readonly string[]>;
  readonly messages: (place: Place) => Promise<readonly StoredMessage[]>;
  /** Sets the device's clock back by this time. */
  readonly setBack: (milliseconds: number) => void;
  readonly goOffline: () => void;
  readonly goOnline: () => void;
  readonly close: () => void;
}

const load = async () => ({
  ...((await loadClient("rest/create-rest.ts")) as { readonly createRest: Make<object> }),
  ...((await loadClient("connection/create-connections.ts")) as {
    readonly createConnections: Make<Connections>;
  }),
  ...((await loadClient("servers/create-servers.ts")) as { readonly createServers: Make<Servers> }),
  ...((await loadClient("chat/create-chat.ts")) as { readonly createChat: Make<Chat> }),
  ...((await loadClient("testing/fake-device.ts")) as {
    readonly createFakeDevice: () => { join(): { readonly tabs: object } };
  }),
  ...((await loadClient("uuid.ts")) as {
    readonly createIdSource: (now: () => number, bytes: (length: number) => Uint8Array) => () => string;
  }),
  ...((await loadClient("../../store/src/indexeddb/testing/fake-store.ts")) as {
    readonly openFakeStore: (now: () => number) => Promise<Store>;
  }),
});

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export async function openChatClient(url: string, credential: Credential): Promise<ChatClient> {
  const client = await load();
  const { createRest, createConnections, createServers, createChat, openFakeStore } = client;
  let behindMs = 0;
  const now = (): number => Date.now() - behindMs;
  const platform = {
    ...(await clientPlatform()),
    now,
    tabs: client.createFakeDevice().join().tabs,
    newId: client.createIdSource(() => Date.now(), randomBytes),
  };
  const accounts = await accountsOf(url, credential);
  const store = await openFakeStore(() => Date.now());
  const instance = { id: crypto.randomUUID() };
  const rest = createRest({ platform, token: accounts.token, onAuthFailure: () => undefined });
  const connections = createConnections({ platform, accounts, instance });
  const sendToDevices = (): void => undefined;
  const servers = createServers({ platform, rest, accounts, connections, store, sendToDevices });
  const preferences = { state: await createStore(() => ({ tellsTyping: true })) };
  const blocks = { state: await createStore(() => new Map()), isBlocked: () => false };
  const around = {
    platform,
    store,
    rest,
    accounts,
    connections,
    servers,
    instance,
    preferences,
    sendToDevices,
  };
  const chat = createChat({ ...around, blocks, onApplied: () => () => undefined });
  const arrived: string[] = [];
  chat.onArrival(({ message }) => void arrived.push(message.id));
  await servers.start();
  await chat.start();
  connections.start();
  const messages = async (place: Place): Promise<readonly StoredMessage[]> =>
    (await store.messagesBefore(place, { limit: 500, before: null })).messages;
  return {
    ...{ chat, servers, store, arrived, messages },
    isIn: (roomId) => servers.state.getState().servers.get(roomId)?.present.has(credential.id) === true,
    says: async (place) => (await messages(place)).map(({ content, delivery }) => `${content} (${delivery})`),
    setBack: (milliseconds) => void (behindMs = milliseconds),
    goOffline: () => connections.stop(),
    goOnline: () => connections.start(),
    close() {
      connections.stop();
      chat.stop();
      servers.stop();
      store.close();
    },
  };
}
