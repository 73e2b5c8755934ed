import type { ServerMessage } from "@hearth/contracts";
import type { ClientConnection } from "./client-connection.ts";
import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";

/** The message that precedes a close (rule WS14). */
export type Closing = Extract<ServerMessage, { readonly type: "closing" }>;

/** What differs between the two doors. One object serves all connections of its door. */
export interface Codec {
  readonly door: Door;
  /** Makes a healthy peer answer (rule WS11). */
  readonly ping: Frame;
  /** The handshake is done: greets the client where the door has a greeting, and begins. */
  opened(connection: ClientConnection): void;
  /** A text frame came in. Throws a `ProblemError` when it is no message; the connection lives (rule WS16). */
  received(connection: ClientConnection, data: Buffer): void;
  /** Posts what precedes the close frame. */
  closing(connection: ClientConnection, closing: Closing): void;
}
