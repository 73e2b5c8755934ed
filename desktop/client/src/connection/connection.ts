import type {
  ClientLimits,
  ClientMessage,
  ClientMessageType,
  RelayStamp,
  ServerMessage,
} from "@hearth/contracts";
import type { Readable } from "../observable.ts";

/** Messages of other clients, as relayed by the server (rules WS9, WS10, AS1). */
export type RelayedMessage = {
  [T in ClientMessageType]: ClientMessage<T> & RelayStamp;
}[ClientMessageType];

export type Incoming = ServerMessage | RelayedMessage;

/**
 * `waiting`: between two tries (`retryAt`). `ended`: for good, because the server forbade a reconnect or there is no
 * account. With the reason `superseded` another tab took over.
 */
export type ConnectionStatus = "idle" | "connecting" | "online" | "waiting" | "ended";

export interface ConnectionState {
  readonly url: string;
  readonly status: ConnectionStatus;
  /** Tries since it was last online. */
  readonly attempts: number;
  /** Epoch ms of this device's clock. */
  readonly retryAt: number | null;
  /** For a banner that appears after a moment; `null` while online. */
  readonly offlineSince: number | null;
  readonly lastOnlineAt: number | null;
  readonly limits: ClientLimits | null;
  /** Why it ended or waits: a close reason of WS14 or a problem code. */
  readonly reason: string | null;
}

export type OutgoingMessage = {
  [T in ClientMessageType]: { readonly type: T } & Readonly<Record<string, unknown>>;
}[ClientMessageType];

/** The socket to one instance: identifies, stays alive, reconnects (rules CL6, WS3, WS11, WS14). */
export interface Connection {
  readonly state: Readable<ConnectionState>;
  /**
   * Sends with a `requestId` and waits for its `ack` (or for the answer with that id). Rejects with a
   * `ClientProblem`: the server's refusal, `OFFLINE` if not identified, `NO_ANSWER` after 10 s or when the socket
   * closes. Does not retry by itself. Waits to stay below the server's rate limit.
   */
  request(message: OutgoingMessage): Promise<Incoming>;
  /** Sends without an answer; dropped while offline. For typing and status. */
  cast(message: OutgoingMessage): void;
  /**
   * Called with all messages in order, except answers to requests. `identified` and `server_joined` are always
   * included.
   */
  on(listener: (message: Incoming) => void): () => void;
  retryNow(): void;
  /** Epoch ms on the server's clock, as far as it is known. */
  now(): number;
}

/** The connections of all instances with a valid account; each opens and closes with its account. */
export interface Connections {
  /** By URL. */
  readonly states: Readable<ReadonlyMap<string, ConnectionState>>;
  of(url: string): Connection | null;
  /** Called with the messages of all connections and the instance's URL. */
  on(listener: (url: string, message: Incoming) => void): () => void;
  /** Also called for connections that are online already. */
  onOnline(listener: (url: string, connection: Connection) => void): () => void;
  start(): void;
  stop(): void;
}

/** The UUID of this tab (interface 2.2, rule CL4). It survives a reload; a duplicated tab gets a new one. */
export interface ClientInstance {
  readonly id: string;
  /** True if this browser has an open tab with that id. */
  isHere(clientInstanceId: string): Promise<boolean>;
}
