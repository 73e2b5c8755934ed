import type { ClientMessageType, CloseKind, ServerMessageType } from "@hearth/contracts";
import { newId } from "@hearth/runtime";
import { closingMessage } from "../transport/close-reason.ts";
import type { Connection, ConnectionHandler, InboundMessage } from "../transport/connection.ts";
import type { Frame } from "../transport/frame.ts";
import { Inbox, type Reader } from "../transport/inbox.ts";

/** A message as a client sees it. */
export type Message = Readonly<Record<string, unknown>>;

/** The types that a client may receive: the server's own and relayed ones. */
export type ReceivedType = ServerMessageType | ClientMessageType;

const parsed = new WeakMap<Frame, Message>();

const read = (frame: Frame): Message => {
  const known = parsed.get(frame);
  if (known) return known;
  const length = (frame.plain[1] ?? 0) & 0x7f;
  const head = length === 126 ? 4 : length === 127 ? 10 : 2;
  const message = JSON.parse(frame.plain.toString("utf8", head)) as Message;
  parsed.set(frame, message);
  return message;
};

export interface DeviceOptions {
  /** Handles messages as they arrive, without the queue, so that handlers interleave. */
  readonly naive?: boolean;
  /** The server does not notice the close until {@link Device.end}. */
  readonly lingers?: boolean;
  /** The gateway that passes it on. */
  readonly gateway?: string;
}

/**
 * Both ends of a connection without a socket in between: the server's `Connection` with the real inbox, and its client.
 */
export class Device implements Connection, Reader {
  readonly id = newId();
  readonly door = "plain";
  readonly clientAddress = "127.0.0.1";
  readonly gateway: string | null;
  readonly unsentBytes = 0;
  readonly received: Message[] = [];
  readonly acknowledged: Message[] = [];
  /** Called for every message as it is received. */
  heard: (message: Message) => void = () => undefined;
  /** The code that the server closed with. */
  closeCode: number | null = null;
  /** The delay in the close. */
  retryInMs: number | undefined;
  private readonly handler: ConnectionHandler;
  private readonly options: DeviceOptions;
  private readonly inbox = new Inbox(this);
  private phase: "open" | "closing" | "closed" = "open";
  private pendingClose: (() => void) | null = null;

  constructor(handler: ConnectionHandler, options: DeviceOptions = {}) {
    this.handler = handler;
    this.options = options;
    this.gateway = options.gateway ?? null;
    handler.opened(this);
  }

  get open(): boolean {
    return this.phase === "open";
  }

  get gone(): boolean {
    return this.phase === "closed";
  }

  send(frame: Frame): void {
    if (!this.open) return;
    const message = read(frame);
    this.received.push(message);
    this.heard(message);
  }

  close(kind: CloseKind, message: string, retryInMs?: number): void {
    if (!this.open) return;
    this.received.push({ ...closingMessage(kind, message, retryInMs) });
    this.closeCode = kind.code;
    this.retryInMs = retryInMs;
    this.phase = "closing";
    this.inbox.clear();
    if (!this.options.lingers) setImmediate(() => this.end());
  }

  /** Closes as the transport does while it drains. */
  closeWhenIdle(kind: CloseKind, message: string, retryInMs?: number): void {
    this.pendingClose = () => this.close(kind, message, retryInMs);
    if (this.inbox.isIdle) this.pendingClose();
  }

  /** The client sends a message. */
  say(body: Message, bytes = Buffer.byteLength(JSON.stringify(body))): void {
    this.deliver({ body: structuredClone(body), bytes });
  }

  /** The client sends a message and asks for a Socket.IO acknowledgement. */
  ask(body: Message): void {
    const acknowledge = (answer: object): void => void this.acknowledged.push({ ...answer });
    this.deliver({ body: structuredClone(body), bytes: 100, acknowledge });
  }

  /** The client closes, or its network does. */
  hangUp(): void {
    this.end();
  }

  /** The server notices that the connection has closed. */
  end(): void {
    if (this.phase === "closed") return;
    this.phase = "closed";
    this.inbox.clear();
    this.handler.closed(this);
  }

  /** The node died: the server handles no close. */
  vanish(): void {
    this.phase = "closed";
    this.inbox.clear();
  }

  all(type: ReceivedType): Message[] {
    return this.received.filter((message) => message["type"] === type);
  }

  last(type: ReceivedType): Message | undefined {
    return this.all(type).at(-1);
  }

  /** Returns the messages received since the last call. */
  take(): Message[] {
    return this.received.splice(0);
  }

  overlaps(message: InboundMessage): boolean {
    return this.handler.overlaps?.(this, message) ?? false;
  }

  handle(message: InboundMessage): Promise<void> | void {
    if (this.open) return this.handler.handle(this, message);
  }

  failed(error: unknown): void {
    throw error;
  }

  idle(): void {
    this.pendingClose?.();
  }

  queued(): void {
    // No metrics here.
  }

  private deliver(message: InboundMessage): void {
    if (!this.open || this.pendingClose) return;
    if (this.handler.admit(this, message)) this.enqueue(message);
  }

  private enqueue(message: InboundMessage): void {
    if (!this.open) return;
    if (this.options.naive) void this.handle(message);
    else this.inbox.push(message);
  }
}
