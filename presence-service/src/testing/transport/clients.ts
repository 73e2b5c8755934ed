import { io, type Socket } from "socket.io-client";
import { WebSocket } from "ws";
import { Mailbox } from "./mailbox.ts";

export interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A client of either door. */
export interface TestClient {
  readonly heard: Mailbox<Message>;
  /** The WebSocket close code. */
  readonly closed: Promise<number>;
  say(message: Message): void;
  hangUp(): void;
}

export async function plainClient(port: number): Promise<TestClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const heard = new Mailbox<Message>();
  socket.on("message", (data: Buffer) => heard.push(JSON.parse(data.toString()) as Message));
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    heard,
    closed,
    say: (message) => socket.send(JSON.stringify(message)),
    hangUp: () => socket.close(1000),
  };
}

export const socketioUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** A stock client that does not reconnect. */
export const socketio = (port: number): Socket =>
  io(socketioUrl(port), { transports: ["websocket"], reconnection: false, forceNew: true });

export async function socketioClient(port: number): Promise<TestClient> {
  const socket = socketio(port);
  const heard = new Mailbox<Message>();
  socket.onAny((_name, message: Message) => heard.push(message));
  const closed = new Promise<number>((resolve) => {
    socket.io.engine.on("close", (_reason, event) => {
      resolve((event as { context?: { code?: number } } | undefined)?.context?.code ?? 1000);
    });
  });
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    heard,
    closed,
    say: (message) => socket.emit(message.type, message),
    hangUp: () => socket.disconnect(),
  };
}

export const CLIENTS = [
  ["plain", plainClient],
  ["socketio", socketioClient],
] as const;
