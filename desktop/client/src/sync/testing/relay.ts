import { createStore } from "zustand/vanilla";
import type { Connection, ConnectionState, Connections, Incoming } from "../../connection/connection.ts";
import { ClientProblem } from "@hearth/device";

export const HOME = "http://home.example";
export const ME = "0190a000-0000-7000-8000-0000000000aa";

interface Delivery {
  readonly from: RelayClient | null;
  readonly to: RelayClient;
  readonly message: Incoming;
  readonly onHandled?: () => void;
}

interface RelayOptions {
  readonly random: () => number;
  /** How often a relayed message is duplicated. */
  readonly duplicates?: number;
  readonly now: () => number;
}

/**
 * A home server by rules AS1 and WS7: relays to every other connection, in order per sender and in any order between
 * senders. Messages on their way to or from a closing connection are lost or arrive unnoticed.
 */
export class Relay {
  readonly clients = new Set<RelayClient>();
  /** Relayed messages, for tests. */
  readonly relayed: { readonly from: string; readonly payload: Record<string, unknown> }[] = [];
  readonly options: RelayOptions;
  #pending: Delivery[] = [];

  constructor(options: RelayOptions) {
    this.options = options;
  }

  isIdle(): boolean {
    return this.#pending.length === 0;
  }

  enter(client: RelayClient): void {
    const others = [...this.clients];
    const responder = others[Math.floor(this.options.random() * others.length)];
    this.clients.add(client);
    for (const to of others)
      this.#pending.push({
        from: null,
        to,
        message: {
          type: "account_sync_peer_online",
          clientInstanceId: client.instanceId,
          connectionId: client.instanceId,
          device: { name: client.name },
          responder: to === responder,
        },
      });
  }

  leave(client: RelayClient): void {
    this.clients.delete(client);
    this.#pending = this.#pending.filter(
      ({ to, from }) => to !== client && (from !== client || this.#coinFlip()),
    );
  }

  accept(
    from: RelayClient,
    payload: Record<string, unknown> & { readonly type: string },
    onHandled: () => void,
  ): void {
    this.relayed.push({ from: from.instanceId, payload });
    const stamp = { fromUserId: ME, fromUsername: "ada", fromDisplayName: "Ada", sentAt: this.options.now() };
    const envelope = { type: "account_sync" as const, clientInstanceId: from.instanceId, ...stamp };
    for (const to of this.clients) {
      if (to === from) continue;
      const message: Incoming = structuredClone({ ...envelope, payload });
      const isTwice = this.options.random() < (this.options.duplicates ?? 0);
      for (let times = isTwice ? 2 : 1; times > 0; times -= 1) this.#pending.push({ from, to, message });
    }
    const message: Incoming = { type: "ack", inReplyTo: "account_sync" };
    this.#pending.push({ from: null, to: from, message, onHandled });
  }

  /** Delivers one message: the oldest one of some sender to some receiver. */
  step(): void {
    const heads = new Map<string, Delivery>();
    for (const delivery of this.#pending) {
      const route = `${delivery.from?.instanceId ?? ""}>${delivery.to.instanceId}`;
      if (!heads.has(route)) heads.set(route, delivery);
    }
    const chosen = [...heads.values()][Math.floor(this.options.random() * heads.size)];
    if (!chosen) return;
    this.#pending.splice(this.#pending.indexOf(chosen), 1);
    if (chosen.onHandled) chosen.onHandled();
    else chosen.to.receive(chosen.message);
  }

  #coinFlip(): boolean {
    return this.options.random() < 0.5;
  }
}

const initialState: ConnectionState = {
  url: HOME,
  status: "idle",
  attempts: 0,
  retryAt: null,
  offlineSince: null,
  lastOnlineAt: null,
  limits: null,
  reason: null,
};

type Listener = (url: string, message: Incoming) => void;
type OnlineListener = (url: string, connection: Connection) => void;

/** A device's connections: only the one to the home server. */
export class RelayClient implements Pick<Connections, "on" | "onOnline"> {
  readonly instanceId: string;
  readonly name: string;
  readonly #relay: Relay;
  readonly #state = createStore<ConnectionState>(() => initialState);
  readonly #listeners = new Set<Listener>();
  readonly #online = new Set<OnlineListener>();
  readonly #unanswered = new Set<(problem: ClientProblem) => void>();
  readonly connection: Connection;

  constructor(relay: Relay, instanceId: string, name: string) {
    this.#relay = relay;
    this.instanceId = instanceId;
    this.name = name;
    this.connection = {
      state: this.#state,
      request: async (message) =>
        this.#request(message["payload"] as Record<string, unknown> & { type: string }),
      cast: () => undefined,
      on: () => () => undefined,
      retryNow: () => undefined,
      now: relay.options.now,
    };
  }

  get isOnline(): boolean {
    return this.#state.getState().status === "online";
  }

  connect(): void {
    if (this.isOnline) return;
    this.#relay.enter(this);
    this.#state.setState({ status: "online" });
    for (const notify of this.#online) notify(HOME, this.connection);
  }

  disconnect(): void {
    if (!this.isOnline) return;
    this.#relay.leave(this);
    this.#state.setState({ status: "waiting" });
    for (const reject of this.#unanswered) reject(new ClientProblem("NO_ANSWER"));
    this.#unanswered.clear();
  }

  receive(message: Incoming): void {
    for (const notify of this.#listeners) notify(HOME, message);
  }

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onOnline(listener: OnlineListener): () => void {
    this.#online.add(listener);
    if (this.isOnline) listener(HOME, this.connection);
    return () => void this.#online.delete(listener);
  }

  async #request(payload: Record<string, unknown> & { readonly type: string }): Promise<Incoming> {
    if (!this.isOnline) throw new ClientProblem("OFFLINE");
    const bytes = new TextEncoder().encode(JSON.stringify(payload)).length;
    if (bytes > 1_048_000) throw new ClientProblem("PAYLOAD_TOO_LARGE");
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      this.#relay.accept(this, structuredClone(payload), () => {
        this.#unanswered.delete(reject);
        resolve({ type: "ack", inReplyTo: "account_sync" });
      });
    });
  }
}
