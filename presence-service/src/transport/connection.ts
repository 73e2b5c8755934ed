import type { CloseKind, ProblemError, SocketDoor } from "@hearth/contracts";
import type { Frame } from "./frame.ts";

/** WS1: the two doors; behind them a connection is the same thing. */
export type Door = SocketDoor;

/** Which way a connection came, as the gateway said it. */
export interface Origin {
  /** The client's address as the gateway saw it. */
  readonly clientAddress: string;
  /** The gateway process that passes it on; `null` where the only one is this process. */
  readonly gateway: string | null;
}

/** One open connection of a client, whichever door it came through. */
export interface Connection extends Origin {
  /** A UUID, new for every connection. */
  readonly id: string;
  readonly door: Door;
  /** False from the moment a close has begun on either side. */
  readonly open: boolean;
  /** Bytes handed over for sending that the kernel has not taken yet (rule WS13). */
  readonly unsentBytes: number;
  /**
   * Queues a frame; all frames of one event-loop turn leave in one write. An ephemeral frame is dropped for a
   * slow reader, any frame for one that is too slow, which is then closed (rule WS13). Never throws.
   */
  send(frame: Frame): void;
  /** Sends `closing`, flushes and closes with the code (rule WS14). The first call wins. Never throws. */
  close(kind: CloseKind, message: string, retryInMs?: number): void;
}

/** A message as it came in: a JSON object, its type not yet checked. */
export interface InboundMessage {
  readonly body: Readonly<Record<string, unknown>>;
  /** Size of its text on the wire. */
  readonly bytes: number;
  /** Answers a Socket.IO acknowledgement; absent where none was asked for. */
  readonly acknowledge?: (answer: object) => void;
}

/** Who listens to connections. None of these may throw, save `handle`, whose failure is logged. */
export interface ConnectionHandler {
  /** Called before the first message. */
  opened(connection: Connection): void;
  /** Called as a message arrives, before it is queued; `false` drops it (the handler has answered it). */
  admit(connection: Connection, message: InboundMessage): boolean;
  /** WS2: one message at a time, in arrival order; the next one waits for the promise. */
  handle(connection: Connection, message: InboundMessage): Promise<void> | void;
  /** True for a message that may begin while others like it are still waited for; by default none is. */
  overlaps?(connection: Connection, message: InboundMessage): boolean;
  /** WS16: something arrived that is no message; the connection lives on. Counts against the rate as a message. */
  malformed(connection: Connection, problem: ProblemError): void;
  /** Exactly once per connection; no call for this connection follows. Messages still queued are dropped. */
  closed(connection: Connection): void;
}
