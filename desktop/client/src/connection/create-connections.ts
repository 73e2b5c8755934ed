import { createStore } from "zustand/vanilla";
import type { Accounts, AccountsState } from "../accounts/accounts.ts";
import type { ClientInstance, Connection, ConnectionState, Connections, Incoming } from "./connection.ts";
import { createConnection } from "./create-connection.ts";
import type { ConnectionOptions, OwnedConnection } from "./create-connection.ts";

export interface ConnectionsOptions {
  readonly platform: ConnectionOptions["platform"];
  readonly accounts: Pick<Accounts, "state" | "token" | "signalServerAuthFailed">;
  readonly instance: Pick<ClientInstance, "id">;
}

interface Entry {
  /** The token of this connection; another one needs another connection. */
  readonly token: string;
  readonly connection: OwnedConnection;
}

/** The instances to connect to, with their tokens. */
function wanted({ phase, instances }: AccountsState, token: Accounts["token"]): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  if (phase !== "signed-in") return all;
  for (const { url, authorization } of instances) {
    const inForce = authorization === "authorized" ? token(url) : null;
    if (inForce !== null) all.set(url, inForce);
  }
  return all;
}

class AccountConnections implements Connections {
  readonly states = createStore<ReadonlyMap<string, ConnectionState>>(() => new Map());
  private readonly options: ConnectionsOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<(url: string, message: Incoming) => void>();
  private readonly onlineListeners = new Set<(url: string, connection: Connection) => void>();
  private unsubscribe: (() => void) | null = null;

  constructor(options: ConnectionsOptions) {
    this.options = options;
  }

  of(url: string): Connection | null {
    return this.entries.get(url)?.connection ?? null;
  }

  on(listener: (url: string, message: Incoming) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  onOnline(listener: (url: string, connection: Connection) => void): () => void {
    this.onlineListeners.add(listener);
    for (const [url, { connection }] of this.entries)
      if (connection.state.getState().status === "online") listener(url, connection);
    return () => void this.onlineListeners.delete(listener);
  }

  start(): void {
    this.unsubscribe ??= this.options.accounts.state.subscribe(() => this.follow());
    this.follow();
  }

  stop(): void {
    this.unsubscribe?.();
    this.unsubscribe = null;
    for (const url of [...this.entries.keys()]) this.end(url);
  }

  /** Opens one connection for every valid account, with its current token. */
  private follow(): void {
    if (!this.unsubscribe) return;
    const { accounts } = this.options;
    const now = wanted(accounts.state.getState(), (url) => accounts.token(url));
    for (const [url, { token }] of [...this.entries]) if (now.get(url) !== token) this.end(url);
    for (const [url, token] of now) if (!this.entries.has(url)) this.begin(url, token);
  }

  private begin(url: string, token: string): void {
    const { platform, accounts, instance } = this.options;
    const connection = createConnection({
      platform,
      url,
      instanceId: () => instance.id,
      credentials: () => {
        const server = accounts.state.getState().instances.find((known) => known.url === url);
        if (!server?.account || accounts.token(url) !== token) return null;
        return { token, userId: server.account.userId };
      },
      onAuthFailure: (refused, reason) => accounts.signalServerAuthFailed(url, refused, reason),
    });
    this.entries.set(url, { token, connection });
    connection.on((message) => [...this.listeners].forEach((listener) => listener(url, message)));
    connection.state.subscribe((state, before) => this.note(url, connection, state, before));
    this.publish(url, connection.state.getState());
    connection.open();
  }

  private note(url: string, connection: Connection, state: ConnectionState, before: ConnectionState): void {
    if (this.entries.get(url)?.connection !== connection) return;
    this.publish(url, state);
    if (state.status !== "online" || before.status === "online") return;
    for (const listener of [...this.onlineListeners]) listener(url, connection);
  }

  private end(url: string): void {
    const entry = this.entries.get(url);
    this.entries.delete(url);
    this.publish(url, null);
    entry?.connection.close();
  }

  private publish(url: string, state: ConnectionState | null): void {
    const states = new Map(this.states.getState());
    if (state) states.set(url, state);
    else states.delete(url);
    this.states.setState(states, true);
  }
}

/** Connections that follow `accounts.state`. */
export const createConnections = (options: ConnectionsOptions): Connections =>
  new AccountConnections(options);
