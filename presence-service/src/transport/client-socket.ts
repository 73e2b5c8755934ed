import { ProblemError } from "@hearth/contracts";
import { type RawData, WebSocket } from "ws";
import type { ClientConnection } from "./client-connection.ts";

/**
 * The `ws` side of a connection: handshake, inbound frames and the closing handshake. Its listeners are shared
 * functions that find the connection on the socket they are called for, so that a connection costs no closures.
 */
export class ClientSocket extends WebSocket {
  private connection: ClientConnection | null = null;

  /** Connects the two, before any byte of the client is looked at. */
  serve(connection: ClientConnection): void {
    this.connection = connection;
    this.on("message", onMessage);
    this.on("ping", onPing);
    this.on("pong", onPong);
    this.on("error", onError);
    this.on("close", onClose);
  }

  static connectionOf(socket: WebSocket): ClientConnection | null {
    return socket instanceof ClientSocket ? socket.connection : null;
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
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const connection = ClientSocket.connectionOf(this);
  if (isBinary || !Buffer.isBuffer(data)) {
    connection?.refuse(new ProblemError("INVALID_REQUEST", "Binary data is not part of the protocol"));
  } else {
    connection?.receive(data);
  }
}

function onPing(this: WebSocket, payload: Buffer): void {
  ClientSocket.connectionOf(this)?.pinged(payload);
}

function onPong(this: WebSocket): void {
  ClientSocket.connectionOf(this)?.noteLife();
}

/** What ws reports here it has already answered with a close. */
const onError = (): void => undefined;

function onClose(this: WebSocket, code: number): void {
  ClientSocket.connectionOf(this)?.ended(code);
}
