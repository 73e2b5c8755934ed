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

interface Places {
  readonly state: {
    getState(): {
      readonly places: ReadonlyMap<string, { readonly present: ReadonlyMap<string, unknown> }>;
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
export interface Talker {
  readonly chat: Chat;
  readonly places: Places;
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
  ...((await loadClient("places/create-places.ts")) as { readonly createServers: Make<Places> }),
  ...((await loadClient("chat/create-chat.ts")) as { readonly createChat: Make<Chat> }),
  ...((await loadClient("testing/fake-device.ts")) as {
    readonly createFakeDevice: () => { join(): { readonly tabs: object } };
  }),
  ...((await loadClient("platform/uuid.ts")) as {
    readonly createIdSource: (now: () => number, bytes: (length: number) => Uint8Array) => () => string;
  }),
  ...((await loadClient("store/testing/fake-store.ts")) as {
    readonly openFakeStore: (now: () => number) => Promise<Store>;
  }),
});

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export async function openTalker(url: string, credential: Credential): Promise<Talker> {
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
  const tell = (): void => undefined;
  const places = createServers({ platform, rest, accounts, connections, store, tell });
  const preferences = { state: await createStore(() => ({ tellsTyping: true })) };
  const blocks = { state: await createStore(() => new Map()), isBlocked: () => false };
  const around = { platform, store, rest, accounts, connections, places, instance, preferences, tell };
  const chat = createChat({ ...around, blocks, onApplied: () => () => undefined });
  const arrived: string[] = [];
  chat.onArrival(({ message }) => void arrived.push(message.id));
  await places.start();
  await chat.start();
  connections.start();
  const messages = async (place: Place): Promise<readonly StoredMessage[]> =>
    (await store.messagesBefore(place, { limit: 500, before: null })).messages;
  return {
    ...{ chat, places, store, arrived, messages },
    isIn: (roomId) => places.state.getState().places.get(roomId)?.present.has(credential.id) === true,
    says: async (place) => (await messages(place)).map(({ content, delivery }) => `${content} (${delivery})`),
    setBack: (milliseconds) => void (behindMs = milliseconds),
    goOffline: () => connections.stop(),
    goOnline: () => connections.start(),
    close() {
      connections.stop();
      chat.stop();
      places.stop();
      store.close();
    },
  };
}
