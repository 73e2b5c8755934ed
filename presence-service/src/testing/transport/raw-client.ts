import { connect, type Socket } from "node:net";
import type { Message } from "./clients.ts";
import { Mailbox } from "./mailbox.ts";

export const PLAIN_PATH = "/ws";
export const SOCKETIO_PATH = "/socket.io/?EIO=4&transport=websocket";

/** The head of an upgrade request. */
export const upgradeHead = (path: string, headers: Readonly<Record<string, string>> = {}): string => {
  const all = {
    Host: "127.0.0.1",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
};

export interface FrameParts {
  readonly opcode: number;
  readonly final?: boolean;
  readonly masked?: boolean;
  readonly reserved?: number;
  /** Declares another length than the payload has. */
  readonly length?: number;
}

/** A client's frame, valid or not. */
export function clientFrame(payload: string | Buffer, parts: FrameParts = { opcode: 1 }): Buffer {
  const { opcode, final = true, masked = true, reserved = 0 } = parts;
  const body = Buffer.from(payload);
  const length = parts.length ?? body.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (final ? 0x80 : 0) | reserved | opcode;
  head[1] = (masked ? 0x80 : 0) | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = Buffer.from([1, 2, 3, 4]);
  if (!masked) return Buffer.concat([head, body]);
  return Buffer.concat([head, mask, body.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

export interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A TCP client that violates the WebSocket protocol as a test wants, and answers nothing by itself. */
export class RawClient {
  readonly socket: Socket;
  readonly frames = new Mailbox<ServerFrame>();
  /** Resolves with the code of the server's close frame, or 1006 when there was none. */
  readonly closed: Promise<number>;
  private rest: Buffer = Buffer.alloc(0);
  private inHead = true;
  /** The HTTP answer to the upgrade. */
  head = "";

  constructor(port: number, first: string | Buffer = upgradeHead(PLAIN_PATH)) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (data: Buffer) => this.take(data));
    this.socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      this.socket.on("close", () => {
        const last = this.frames.items.find(({ opcode }) => opcode === 8);
        resolve(last && last.payload.length >= 2 ? last.payload.readUInt16BE(0) : 1006);
      });
    });
    this.socket.write(first);
  }

  send(payload: string | Buffer, parts?: FrameParts): void {
    this.socket.write(clientFrame(payload, parts));
  }

  /** The messages of the plain door among the frames so far. */
  get messages(): Message[] {
    return this.frames.items
      .filter(({ opcode }) => opcode === 1)
      .map(({ payload }) => JSON.parse(payload.toString()) as Message);
  }

  private take(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    if (this.inHead) {
      const end = this.rest.indexOf("\r\n\r\n");
      if (end === -1) return;
      this.head = this.rest.subarray(0, end).toString();
      this.rest = this.rest.subarray(end + 4);
      this.inHead = false;
    }
    if (!this.head.includes("101 ")) return;
    for (let frame = this.readFrame(); frame; frame = this.readFrame()) this.frames.push(frame);
  }

  private readFrame(): ServerFrame | null {
    if (this.rest.length < 2) return null;
    const short = this.rest.readUInt8(1) & 0x7f;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (this.rest.length < start) return null;
    const length =
      short < 126 ? short : short === 126 ? this.rest.readUInt16BE(2) : Number(this.rest.readBigUInt64BE(2));
    if (this.rest.length < start + length) return null;
    const frame = {
      opcode: this.rest.readUInt8(0) & 0x0f,
      payload: this.rest.subarray(start, start + length),
    };
    this.rest = this.rest.subarray(start + length);
    return frame;
  }
}
