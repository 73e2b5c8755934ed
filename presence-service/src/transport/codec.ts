import type { ServerMessage } from "@hearth/contracts";
import type { Door, InboundMessage } from "./connection.ts";
import type { Frame } from "./frame.ts";

/** The message that precedes a close (rule WS14). */
export type Closing = Extract<ServerMessage, { readonly type: "closing" }>;

/** A connection as its codec sees it. */
export interface CodedConnection {
  readonly id: string;
  /** The handshake is done, but the handler has not been told yet. */
  readonly isOpening: boolean;
  send(frame: Frame): void;
  /** Queues a frame of the protocol itself, which may precede the opening and the end. */
  post(frame: Frame): void;
  /** Tells the handler of this connection; messages follow. */
  begin(): void;
  deliver(message: InboundMessage): void;
  noteControl(): void;
  /** Ends the connection without a word. */
  hangUp(code: number): void;
}

/** What differs between the two doors. One object serves all connections of its door. */
export interface Codec {
  readonly door: Door;
  /** Makes a healthy peer answer (rule WS11). */
  readonly ping: Frame;
  /** The handshake is done: greets the client where the door has a greeting, and begins. */
  opened(connection: CodedConnection): void;
  /** A text frame came in. Throws a `ProblemError` when it is no message; the connection lives (rule WS16). */
  received(connection: CodedConnection, data: Buffer): void;
  /** Posts what precedes the close frame. */
  closing(connection: CodedConnection, closing: Closing): void;
}
