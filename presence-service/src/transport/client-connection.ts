import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { CLOSE, type CloseKind, ProblemError } from "@hearth/contracts";
import type { Log } from "@hearth/runtime";
import { WebSocket } from "ws";
import type { ClientSocket, SocketOwner } from "./client-socket.ts";
import { closeReason, closingMessage, violation, violationMessage } from "./close-reason.ts";
import type { CodedConnection, Codec } from "./codec.ts";
import type { Connection, ConnectionHandler, Door, InboundMessage, Origin } from "./connection.ts";
import { bytesFrame, type Frame } from "./frame.ts";
import { Inbox, type Reader } from "./inbox.ts";
import type { TransportMetrics } from "./metrics.ts";
import { Outbox } from "./outbox.ts";
import type { HeartbeatSettings, TransportLimits } from "./settings.ts";
import type { Turn } from "./turn.ts";
import { controlFrame, OPCODE } from "./wire-frame.ts";

/** Shared by all connections of a transport. */
export interface TransportContext {
  readonly handler: ConnectionHandler;
  readonly log: Log;
  readonly metrics: TransportMetrics;
  readonly limits: TransportLimits;
  readonly turn: Turn;
  /** Called once, when the connection has ended. */
  forget(connection: ClientConnection): void;
}

/** `opening`: the handshake is done, but the handler does not know the connection yet. */
type Phase = "opening" | "open" | "closing" | "closed";

/** A close that waits until the accepted messages are handled. */
interface PendingClose {
  readonly kind: CloseKind;
  readonly message: string;
  readonly retryInMs: number | undefined;
}

export class ClientConnection implements Connection, CodedConnection, SocketOwner, Reader {
  /** `toLowerCase` changes no character. It turns the concatenated string into a flat one, which takes less memory. */
  readonly id = randomUUID().toLowerCase();
  readonly clientAddress: string;
  readonly gateway: string | null;
  private readonly context: TransportContext;
  private readonly codec: Codec;
  private readonly webSocket: ClientSocket;
  private readonly socket: Duplex;
  private readonly inbox: Inbox;
  private readonly outbox: Outbox;
  private phase: Phase = "opening";
  /** True once the handler knows of this connection. */
  private announced = false;
  /** The code that this side closed with. */
  private closeCode = 0;
  private pendingClose: PendingClose | null = null;
  /** True if anything has arrived since the last tick. */
  private alive = true;
  /** The number of control frames since the last tick. */
  private controls = 0;
  private silentMs = 0;
  private sincePingMs = 0;

  constructor(context: TransportContext, codec: Codec, ws: ClientSocket, socket: Duplex, origin: Origin) {
    this.context = context;
    this.codec = codec;
    this.webSocket = ws;
    this.socket = socket;
    this.clientAddress = origin.clientAddress;
    this.gateway = origin.gateway;
    this.inbox = new Inbox(this);
    this.outbox = new Outbox(socket, codec.door, context.turn, context.limits.unsent);
  }

  get door(): Door {
    return this.codec.door;
  }

  get open(): boolean {
    return this.phase === "open" && this.webSocket.readyState === WebSocket.OPEN;
  }

  get isOpening(): boolean {
    return this.phase === "opening";
  }

  get unsentBytes(): number {
    return this.outbox.unsentBytes;
  }

  send(frame: Frame): void {
    if (this.phase === "open") this.post(frame);
  }

  post(frame: Frame): void {
    const posted = this.outbox.post(frame);
    if (posted === "kept") return;
    if (posted === "dropped") this.context.metrics.dropped(this.door);
    else this.close(CLOSE.SLOW_READER, "The connection does not read its messages");
  }

  close(kind: CloseKind, message: string, retryInMs?: number): void {
    if (!this.isUp) return;
    if (kind.code === CLOSE.SLOW_READER.code) this.outbox.discard();
    this.socket.cork();
    this.sendClosing(kind, message, retryInMs);
    this.webSocket.closeWith(kind.code, closeReason(kind, retryInMs));
    this.socket.uncork();
  }

  /** WS15: accepts no more messages, and closes as soon as the accepted ones are handled. */
  closeWhenIdle(kind: CloseKind, message: string, retryInMs?: number): void {
    this.pendingClose ??= { kind, message, retryInMs };
    if (this.inbox.isIdle) this.idle();
  }

  hangUp(code: number): void {
    if (this.isUp) this.webSocket.close(code, "");
  }

  terminate(): void {
    this.webSocket.terminate();
  }

  begin(): void {
    this.phase = "open";
    this.announced = true;
    this.context.handler.opened(this);
  }

  receive(data: Buffer): void {
    this.noteLife();
    this.context.metrics.received(data.length);
    if (!this.isUp || this.pendingClose) return;
    try {
      this.codec.received(this, data);
    } catch (error) {
      if (error instanceof ProblemError) this.refuse(error);
      else this.failed(error);
    }
  }

  /** WS2: passes a message to the handler, or queues it behind the current one. */
  deliver(message: InboundMessage): void {
    if (!this.context.handler.admit(this, message) || !this.open) return;
    this.inbox.push(message);
    const { messages, bytes } = this.context.limits.queue;
    if (this.inbox.messages <= messages && this.inbox.bytes <= bytes) return;
    this.close(CLOSE.RATE, "Too many messages are waiting to be handled");
  }

  /** WS16: the data is no message. If the connection is still opening, this closes it. */
  refuse(problem: ProblemError): void {
    this.noteLife();
    if (this.phase === "opening") this.close(CLOSE.PROTOCOL, problem.message);
    else if (this.open && !this.pendingClose) this.context.handler.malformed(this, problem);
  }

  noteLife(): void {
    this.alive = true;
  }

  /** A ping or a pong arrived. They are no messages, so they have a limit of their own. */
  noteControl(): void {
    this.noteLife();
    this.controls += 1;
    if (this.controls > this.context.limits.controlFrames) this.close(CLOSE.RATE, "Too many pings or pongs");
  }

  pinged(payload: Buffer): void {
    this.noteControl();
    if (this.isUp) this.post(bytesFrame(controlFrame(OPCODE.pong, payload), true));
  }

  /** WS11: notes that time has passed. Sends a ping when it is due, and ends a connection whose peer is silent too long. */
  tick(elapsedMs: number, { intervalMs, timeoutMs }: HeartbeatSettings): void {
    this.silentMs = this.alive ? 0 : this.silentMs + elapsedMs;
    this.alive = false;
    this.controls = 0;
    this.sincePingMs += elapsedMs;
    if (this.silentMs >= timeoutMs) {
      this.endSilent();
    } else if (this.phase === "opening" && this.sincePingMs >= this.context.limits.connectMs) {
      this.close(CLOSE.IDENTIFY_TIMEOUT, "The client did not connect in time");
    } else if (this.sincePingMs >= intervalMs && this.isUp) {
      this.sincePingMs = 0;
      this.post(this.codec.ping);
    }
  }

  closedByProtocol(violated: number | undefined): void {
    if (!this.isUp) return;
    if (violated !== undefined) {
      this.sendClosing(violation(violated), violationMessage(violated));
      return;
    }
    this.phase = "closing";
    this.inbox.clear();
    this.outbox.force();
  }

  ended(code: number): void {
    if (this.phase === "closed") return;
    this.phase = "closed";
    this.inbox.clear();
    this.outbox.discard();
    this.context.metrics.closed(this.door, this.closeCode || code);
    this.context.forget(this);
    if (this.announced) this.context.handler.closed(this);
  }

  handle(message: InboundMessage): Promise<void> | void {
    if (this.open) return this.context.handler.handle(this, message);
  }

  overlaps(message: InboundMessage): boolean {
    return this.context.handler.overlaps?.(this, message) ?? false;
  }

  failed(error: unknown): void {
    this.context.log.error({ err: error, connection: this.id }, "message failed");
  }

  idle(): void {
    if (this.pendingClose)
      this.close(this.pendingClose.kind, this.pendingClose.message, this.pendingClose.retryInMs);
  }

  queued(change: number): void {
    this.context.metrics.queued(change);
  }

  /** True until either side has begun to close. */
  private get isUp(): boolean {
    return (
      (this.phase === "open" || this.phase === "opening") && this.webSocket.readyState === WebSocket.OPEN
    );
  }

  private sendClosing(kind: CloseKind, message: string, retryInMs?: number): void {
    const closing = closingMessage(kind, message, retryInMs);
    this.closeCode = kind.code;
    this.inbox.clear();
    this.outbox.force();
    this.codec.closing(this, closing);
    this.outbox.force();
    this.phase = "closing";
  }

  private endSilent(): void {
    if (this.isUp) this.close(CLOSE.HEARTBEAT, "The client was silent for too long");
    else this.terminate();
  }
}
