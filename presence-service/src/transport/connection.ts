import type { CloseKind, ProblemError, SocketDoor } from "@hearth/contracts";
import type { Frame } from "./frame.ts";

/** WS1: the two doors. Behind them, all connections are alike. */
export type Door = SocketDoor;

/** Where a connection comes from, according to the gateway. */
export interface Origin {
  /** The client's address as the gateway saw it. */
  readonly clientAddress: string;
  /** The gateway process that passes it on; `null` if the gateway runs in this process. */
  readonly gateway: string | null;
}

/** One open connection of a client, through either door. */
export interface Connection extends Origin {
  /** A UUID, new for every connection. */
  readonly id: string;
  readonly door: Door;
  /** True until either side has begun to close. */
  readonly open: boolean;
  /** WS13: bytes queued for sending that the kernel has not taken yet. */
  readonly unsentBytes: number;
  /**
   * Queues a frame; all frames of one event-loop turn are sent in one write. WS13: drops an ephemeral frame if the reader
   * is slow, and closes the connection if the reader is too slow. Never throws.
   */
  send(frame: Frame): void;
  /** Sends `closing`, flushes and closes with the code (rule WS14). The first call wins. Never throws. */
  close(kind: CloseKind, message: string, retryInMs?: number): void;
}

/** A message as it arrived: a JSON object whose type is not checked yet. */
export interface InboundMessage {
  readonly body: Readonly<Record<string, unknown>>;
  /** The size of its text on the wire. */
  readonly bytes: number;
  /** Answers a Socket.IO acknowledgement; absent if the client asked for none. */
  readonly acknowledge?: (answer: object) => void;
}

/** Receives the events of connections. Only `handle` may throw or reject; its error is logged. */
export interface ConnectionHandler {
  /** Called before the first message. */
  opened(connection: Connection): void;
  /** Called when a message arrives, before it is queued. Returns false to drop it, after answering it. */
  admit(connection: Connection, message: InboundMessage): boolean;
  /** WS2: called for one message at a time, in arrival order. The next one waits for the promise. */
  handle(connection: Connection, message: InboundMessage): Promise<void> | void;
  /** True for a message that may begin before the end of others for which this is true; by default false. */
  overlaps?(connection: Connection, message: InboundMessage): boolean;
  /** WS16: the data is no message. The connection stays open, and the data counts as a message of its rate. */
  malformed(connection: Connection, problem: ProblemError): void;
  /** The last call for a connection, exactly once. Its queued messages are dropped. */
  closed(connection: Connection): void;
}
