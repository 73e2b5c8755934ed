import { createRequire } from "node:module";
import path from "node:path";
import type { Credential } from "@hearth/contracts";

const client = path.resolve(import.meta.dirname, "../../../desktop/client/src");
/** A module of the client, by its path. */
export const loadClient = (file: string): Promise<unknown> => import(path.join(client, file));

/** A state that changes. */
export interface Watched<State> {
  readonly getState: () => State;
  readonly subscribe: (listener: (state: State) => void) => () => void;
}

interface Stored<State> extends Watched<State> {
  readonly setState: (state: Partial<State>) => void;
}

export interface ConnectionView {
  readonly status: "idle" | "connecting" | "online" | "waiting" | "ended";
  readonly attempts: number;
  readonly retryAt: number | null;
  readonly lastOnlineAt: number | null;
  readonly reason: string | null;
}

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** What the suites use of the client's connection (`desktop/client/src/connection`). */
export interface ClientConnection {
  readonly state: Watched<ConnectionView>;
  request(message: Message): Promise<Message>;
  on(listener: (message: Message) => void): () => void;
  open(): void;
  close(): void;
  retryNow(): void;
  now(): number;
}

interface ConnectionModule {
  readonly createConnection: (options: object) => ClientConnection;
}

interface StoreModule {
  readonly createStore: <State>(make: () => State) => Stored<State>;
}

export const createStore = async <State>(make: () => State): Promise<Stored<State>> => {
  const require = createRequire(path.join(client, "client.ts"));
  return ((await import(require.resolve("zustand/vanilla"))) as StoreModule).createStore(make);
};

const attention = { isAttended: true, isVisible: true, isOnline: true };

/** A device of the product's own client with real sockets and real time. */
export interface ConnectedDevice {
  readonly connection: ClientConnection;
  /** The status of every state, in order, without repetitions. */
  readonly statuses: readonly string[];
  readonly failures: readonly (readonly [token: string, reason: string])[];
  readonly heard: readonly Message[];
  readonly dialled: () => number;
  readonly attend: (change: Partial<typeof attention>) => void;
  readonly reaches: (status: ConnectionView["status"], patienceMs?: number) => Promise<ConnectionView>;
}

const later = (milliseconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** The platform of a client in this process. */
export const clientPlatform = async (onDial: () => void = () => undefined) => ({
  kind: "web",
  deviceName: "Test on Node",
  openSocket: (address: string) => {
    onDial();
    return new WebSocket(address);
  },
  fetch,
  now: () => Date.now(),
  later,
  random: () => Math.random(),
  newId: () => crypto.randomUUID(),
  attention: await createStore(() => attention),
  onResume: () => () => undefined,
});

function reached({ state }: ClientConnection, status: string, patienceMs: number): Promise<ConnectionView> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Error(`not ${status} within ${patienceMs} ms, but ${JSON.stringify(state.getState())}`));
    }, patienceMs);
    const look = (view: ConnectionView): void => {
      if (view.status !== status) return;
      clearTimeout(timer);
      end();
      resolve(view);
    };
    const end = state.subscribe(look);
    look(state.getState());
  });
}

/** Creates the client's connection over this process's `WebSocket`; it connects at once. */
export async function connectDevice(
  url: string,
  credential: Credential,
  clientInstanceId: string = crypto.randomUUID(),
): Promise<ConnectedDevice> {
  const { createConnection } = (await loadClient("connection/create-connection.ts")) as ConnectionModule;
  let dialled = 0;
  const platform = await clientPlatform(() => (dialled += 1));
  const failures: (readonly [string, string])[] = [];
  const heard: Message[] = [];
  const connection = createConnection({
    platform,
    url,
    instanceId: () => clientInstanceId,
    credentials: () => ({
      token: credential.token,
      userId: credential.id,
      displayName: credential.displayName,
    }),
    onAuthFailure: (token: string, reason: string) => void failures.push([token, reason]),
  });
  const statuses: string[] = [];
  connection.state.subscribe(({ status }) => {
    if (statuses.at(-1) !== status) statuses.push(status);
  });
  connection.on((message) => void heard.push(message));
  connection.open();
  return {
    connection,
    statuses,
    failures,
    heard,
    dialled: () => dialled,
    attend: (change) => platform.attention.setState(change),
    reaches: (status, patienceMs = 10_000) => reached(connection, status, patienceMs),
  };
}
