import { connect } from "node:net";
import type { Socket } from "node:net";
import { HOST, loopbackAddress } from "../machine/addresses.ts";
import type { Door, Message } from "./doors.ts";
import { clientFrame, FrameReader, OPCODE } from "./frames.ts";

/** One read buffer for all sockets: data is counted or copied before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(256 * 1024);
const ANSWER_MS = 20_000;
/** Clients share this many addresses, so that no address reaches the connection limit. */
const ADDRESSES = 100;
const REFUSALS = new Set(["error", "auth_error", "auth_required", "closing"]);

const handshake = ({ path, headers = [] }: Door): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${HOST}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
    "\r\n",
  ].join("\r\n");

/** Sums the bytes of many sockets. */
export interface Meter {
  add(bytes: number): void;
}

interface Waiter {
  readonly wants: (text: string) => boolean;
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A client on a bare TCP socket. It reads frames until counting starts; then it only counts bytes, so that the load
 * client costs as little as possible.
 */
export class ClientSocket {
  /** Bytes received since counting started. */
  counted = 0;
  private readonly socket: Socket;
  private readonly door: Door;
  private readonly reader = new FrameReader();
  private readonly waiters = new Set<Waiter>();
  private head: Buffer | undefined = Buffer.alloc(0);
  private meter: Meter | undefined;
  private failure: Error | undefined;
  private closing = false;

  /** `index` chooses the client's address. */
  constructor(port: number, door: Door, index: number) {
    this.door = door;
    this.socket = connect({
      port,
      host: HOST,
      localAddress: loopbackAddress(index % ADDRESSES),
      noDelay: true,
      onread: { buffer: readBuffer, callback: (bytes) => this.read(bytes) },
    });
    this.socket.once("connect", () => this.socket.write(handshake(door)));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.fail(new Error("The server closed a connection")));
  }

  /** Completes the handshake and the door's greeting. */
  static async open(port: number, door: Door, index: number): Promise<ClientSocket> {
    const client = new ClientSocket(port, door, index);
    const { greeting } = door;
    if (!greeting) {
      await client.nextText((text) => text === "");
      return client;
    }
    await client.nextText((text) => text.startsWith(greeting.awaits));
    client.socket.write(clientFrame(greeting.says));
    await client.nextText((text) => text.startsWith(greeting.welcome));
    return client;
  }

  write(frame: Buffer): void {
    this.socket.write(frame);
  }

  send(message: Message): void {
    this.write(clientFrame(this.door.encode(message)));
  }

  /** Sends, and waits for the first answer of this type. Rejects on a refusal. */
  async ask(message: Message, answerType: string): Promise<Message> {
    const answer = this.next(answerType);
    this.send(message);
    return answer;
  }

  /** The next message of this type that arrives after the call; rejects on a refusal. */
  async next(type: string): Promise<Message> {
    let found: Message | undefined;
    await this.nextText((text) => {
      const message = text === "" ? undefined : this.door.decode(text);
      if (message && REFUSALS.has(message.type)) throw new Error(`Refused: ${text}`);
      if (message?.type === type) found = message;
      return found !== undefined;
    });
    if (!found) throw new Error(`No ${type} came`);
    return found;
  }

  /** The next expected text; an empty one means the end of the handshake. */
  nextText(wants: (text: string) => boolean): Promise<string> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      const settled = (settle: () => void): void => {
        clearTimeout(deadline);
        this.waiters.delete(waiter);
        settle();
      };
      const waiter: Waiter = {
        wants,
        resolve: (text) => settled(() => resolve(text)),
        reject: (error) => settled(() => reject(error)),
      };
      const deadline = setTimeout(() => waiter.reject(new Error("A server did not answer")), ANSWER_MS);
      this.waiters.add(waiter);
    });
  }

  /** Only counts bytes from now on. */
  count(meter: Meter): void {
    this.counted = 0;
    this.meter = meter;
  }

  /** Throws the connection's error, if any. */
  check(): void {
    if (this.failure) throw this.failure;
  }

  close(): Promise<void> {
    this.closing = true;
    return new Promise((resolve) => {
      if (this.socket.closed) resolve();
      else this.socket.once("close", () => resolve());
      this.socket.destroy();
    });
  }

  private read(bytes: number): boolean {
    if (this.meter) {
      this.counted += bytes;
      this.meter.add(bytes);
      return true;
    }
    const chunk = Buffer.from(readBuffer.subarray(0, bytes));
    if (this.head) this.readHead(chunk, this.head);
    else this.readFrames(chunk);
    return true;
  }

  private readHead(chunk: Buffer, before: Buffer): void {
    const head = Buffer.concat([before, chunk]);
    const end = head.indexOf("\r\n\r\n");
    this.head = head;
    if (end < 0) return;
    if (!head.toString("latin1", 0, 12).endsWith(" 101")) {
      this.fail(new Error(`An upgrade was refused: ${head.toString("utf8")}`));
      return;
    }
    this.head = undefined;
    this.offer("");
    if (head.length > end + 4) this.readFrames(head.subarray(end + 4));
  }

  private readFrames(chunk: Buffer): void {
    for (const { opcode, payload } of this.reader.push(chunk)) {
      if (opcode === OPCODE.ping) this.write(clientFrame(payload, OPCODE.pong));
      if (opcode === OPCODE.text) this.readText(payload.toString());
    }
  }

  private readText(text: string): void {
    const beat = this.door.heartbeat?.(text);
    if (beat === undefined) this.offer(text);
    else this.write(clientFrame(beat));
  }

  private offer(text: string): void {
    for (const waiter of [...this.waiters]) {
      try {
        if (waiter.wants(text)) waiter.resolve(text);
      } catch (error) {
        waiter.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  private fail(error: Error): void {
    if (this.closing) return;
    this.failure ??= error;
    for (const waiter of [...this.waiters]) waiter.reject(this.failure);
  }
}
