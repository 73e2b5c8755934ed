import { ProblemError } from "@hearth/contracts";
import { WebSocket } from "ws";

/** The connection that a socket belongs to. */
export interface SocketOwner {
  /** A text frame arrived. */
  receive(data: Buffer): void;
  /** WS16: the data is no message. */
  refuse(problem: ProblemError): void;
  noteControl(): void;
  pinged(payload: Buffer): void;
  /** `ws` is about to close by itself. The code is set if the peer has violated the protocol. */
  closedByProtocol(violated: number | undefined): void;
  ended(code: number): void;
}

/**
 * The `ws` side of a connection: handshake, inbound frames and the closing handshake. It overrides `emit` instead of adding
 * listeners, so that a connection needs no listener table and no closures.
 */
export class ClientSocket extends WebSocket {
  private connection: SocketOwner | null = null;

  /** Sets the connection. Call it before the first byte of the client is read. */
  serve(connection: SocketOwner): void {
    this.connection = connection;
  }

  /** Closes from the server's side. */
  closeWith(code: number, reason: string): void {
    super.close(code, reason);
  }

  /** Called by `ws` itself: to answer the peer's close, or, without a reason, because the peer violated the protocol. */
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
