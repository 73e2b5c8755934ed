import type {
  ClientLimits,
  ClientMessage,
  ClientMessageType,
  RelayStamp,
  ServerMessage,
} from "@hearth/contracts";
import type { Readable } from "../observable.ts";

/** What other clients said, as the server passes it on (rules WS9, WS10, AS1). */
export type RelayedMessage = {
  [T in ClientMessageType]: ClientMessage<T> & RelayStamp;
}[ClientMessageType];

export type Incoming = ServerMessage | RelayedMessage;

/**
 * `waiting` is between two tries (`retryAt`), `ended` is for good: the server said not to dial again, or there is no
 * account. `superseded`: another tab took this one's place.
 */
export type ConnectionStatus = "idle" | "connecting" | "online" | "waiting" | "ended";

export interface ConnectionState {
  readonly url: string;
  readonly status: ConnectionStatus;
  /** Tries since the last time online. */
  readonly attempts: number;
  /** Epoch ms of this device. */
  readonly retryAt: number | null;
  /** Since when it is not online, for a banner that shows after a moment; `null` while online. */
  readonly offlineSince: number | null;
  readonly lastOnlineAt: number | null;
  readonly limits: ClientLimits | null;
  /** Why it ended or is waiting, a close reason of WS14 or a problem's code. */
  readonly reason: string | null;
}

export type OutgoingMessage = {
  [T in ClientMessageType]: { readonly type: T } & Readonly<Record<string, unknown>>;
}[ClientMessageType];

/** One signaling server's socket: identifies itself, keeps itself alive, comes back (rules CL6, WS3, WS11, WS14). */
export interface Connection {
  readonly state: Readable<ConnectionState>;
  /**
   * Sends with a `requestId` and waits for its `ack` (or for the answer that carries the id); rejects with a
   * `ClientProblem`: the server's refusal, `OFFLINE` when not identified, `NO_ANSWER` after 10 s or when the socket ended
   * meanwhile. It never sends a message again by itself. Keeps under the server's rate by waiting its turn.
   */
  request(message: OutgoingMessage): Promise<Incoming>;
  /** Sends and forgets; dropped while not online. For typing and status. */
  cast(message: OutgoingMessage): void;
  /**
   * Every message of the server but those that answer a request; in order. `identified` and `server_joined` are among
   * them all the same.
   */
  on(listener: (message: Incoming) => void): () => void;
  retryNow(): void;
  /** Epoch ms on the server's clock, as far as it is known. */
  now(): number;
}

/** The connections of all signaling servers with an account in force; one opens and ends with its account. */
export interface Connections {
  /** By URL. */
  readonly states: Readable<ReadonlyMap<string, ConnectionState>>;
  of(url: string): Connection | null;
  /** All of them, now and later, with where it came from. */
  on(listener: (url: string, message: Incoming) => void): () => void;
  /** Also called for those that are online already. */
  onOnline(listener: (url: string, connection: Connection) => void): () => void;
  start(): void;
  stop(): void;
}

/** The UUID of this tab (interface 2.2, rule CL4): a reload keeps it, a duplicated tab takes a new one. */
export interface ClientInstance {
  readonly id: string;
  /** True when this browser has a tab open with that id. */
  isHere(clientInstanceId: string): Promise<boolean>;
}
