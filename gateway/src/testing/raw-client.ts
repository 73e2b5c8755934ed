import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

/** A connection that says exactly what a test wants said. */
export interface RawClient {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** Everything received so far, once it contains `text`; rejects when the connection ends without it. */
  until(text: string): Promise<string>;
  /** Everything received, once the server has ended the connection. */
  untilEnd(): Promise<string>;
  close(): void;
}

export async function dial(port: number): Promise<RawClient> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    wake();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    ended = true;
    wake();
  });
  await once(socket, "connect");
  const when = (met: () => boolean): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!met() && !ended) return;
        waiting.delete(look);
        if (met()) resolve(received);
        else reject(new Error(`The connection ended with: ${received}`));
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    until: (text) => when(() => received.includes(text)),
    untilEnd: () => when(() => ended),
    close: () => void socket.destroy(),
  };
}

/** Sends bytes on a connection of their own and gives what comes back until the server ends it. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const client = await dial(port);
  client.send(bytes);
  return client.untilEnd();
}

/** The status of each answer in what a connection received. */
export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

export const HANDSHAKE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** The head of an upgrade; `lines` come on top of, or with `handshake` instead of, the usual ones. */
export const upgradeHead = (
  path: string,
  lines: readonly string[] = [],
  handshake: readonly string[] = HANDSHAKE,
): string => `GET ${path} HTTP/1.1\r\n${["Host: hearth.test", ...handshake, ...lines].join("\r\n")}\r\n\r\n`;
