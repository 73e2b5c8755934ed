import type { ServerMessage } from "@hearth/contracts";
import type { Door, InboundMessage } from "./connection.ts";
import type { Frame } from "./frame.ts";

/** The message that precedes a close (rule WS14). */
export type Closing = Extract<ServerMessage, { readonly type: "closing" }>;

/** The part of a connection that its codec uses. */
export interface CodedConnection {
  readonly id: string;
  /** True while the handler does not know the connection yet. */
  readonly isOpening: boolean;
  send(frame: Frame): void;
  /** Queues a frame of the protocol itself, also while the connection opens or closes. */
  post(frame: Frame): void;
  /** Makes the connection known to the handler. Call it before the first message. */
  begin(): void;
  deliver(message: InboundMessage): void;
  noteControl(): void;
  /** Closes without a `closing` message. */
  hangUp(code: number): void;
}

/** The differences between the two doors. One object serves all connections of its door. */
export interface Codec {
  readonly door: Door;
  /** Makes a healthy peer answer (rule WS11). */
  readonly ping: Frame;
  /** The handshake is done: greets the client if the door has a greeting, and begins. */
  opened(connection: CodedConnection): void;
  /** Handles a text frame. Throws a `ProblemError` if it is no message; the connection stays open (rule WS16). */
  received(connection: CodedConnection, data: Buffer): void;
  /** Posts the messages that precede the close frame. */
  closing(connection: CodedConnection, closing: Closing): void;
}
