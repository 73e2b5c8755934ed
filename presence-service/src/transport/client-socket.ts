import { ProblemError } from "@hearth/contracts";
import { WebSocket } from "ws";

/** Whom a socket serves. */
export interface SocketOwner {
  /** A text frame came in. */
  receive(data: Buffer): void;
  /** WS16: what came in is no message. */
  refuse(problem: ProblemError): void;
  noteControl(): void;
  pinged(payload: Buffer): void;
  /** `ws` is about to close by itself; with a code, because the peer violated the protocol. */
  closedByProtocol(violated: number | undefined): void;
  ended(code: number): void;
}

/**
 * The `ws` side of a connection: handshake, inbound frames and the closing handshake. What `ws` reports is taken
 * where it is emitted: a connection has no table of listeners and no closures.
 */
export class ClientSocket extends WebSocket {
  private connection: SocketOwner | null = null;

  /** Connects the two, before any byte of the client is looked at. */
  serve(connection: SocketOwner): void {
    this.connection = connection;
  }

  /** Ends the connection from our side. */
  closeWith(code: number, reason: string): void {
    super.close(code, reason);
  }

  /** `ws` closes by itself: to answer the peer's close, or, without a reason, over a violation of the protocol. */
  override close(code?: number, reason?: string | Buffer): void {
    this.connection?.closedByProtocol(reason === undefined ? code : undefined);
    super.close(code, reason);
  }

  override emit(event: string | symbol, data?: unknown, isBinary?: unknown): boolean {
    if (!this.connection) return false;
    if (event === "message") receive(this.connection, data, isBinary === true);
    else if (event === "pong") this.connection.noteControl();
    else if (event === "ping" && Buffer.isBuffer(data)) this.connection.pinged(data);
    else if (event === "close") this.connection.ended(Number(data));
    return true;
  }
}

function receive(connection: SocketOwner, data: unknown, isBinary: boolean): void {
  if (!isBinary && Buffer.isBuffer(data)) connection.receive(data);
  else connection.refuse(new ProblemError("INVALID_REQUEST", "Binary data is not part of the protocol"));
}
