import type { InboundMessage } from "./connection.ts";

/** Whom an inbox feeds. */
export interface Reader {
  handle(message: InboundMessage): Promise<void> | void;
  /** A message failed; the next one follows. Must not throw. */
  failed(error: unknown): void;
  /** Nothing is under way and nothing waits. Must not throw. */
  idle(): void;
  /** The number of waiting messages has changed. */
  queued(change: number): void;
}

/** WS2: one message at a time, in arrival order. Without a handler that awaits, a message costs no promise. */
export class Inbox {
  private readonly reader: Reader;
  private waiting: InboundMessage[] | null = null;
  private waitingBytes = 0;
  private busy = false;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  get messages(): number {
    return this.waiting?.length ?? 0;
  }

  get bytes(): number {
    return this.waitingBytes;
  }

  get isIdle(): boolean {
    return !this.busy;
  }

  push(message: InboundMessage): void {
    if (!this.busy) {
      this.run(message);
      return;
    }
    this.waiting ??= [];
    this.waiting.push(message);
    this.waitingBytes += message.bytes;
    this.reader.queued(1);
  }

  /** Drops what waits; what is under way goes on. */
  clear(): void {
    if (this.waiting) this.reader.queued(-this.waiting.length);
    this.waiting = null;
    this.waitingBytes = 0;
  }

  private run(first: InboundMessage | undefined): void {
    this.busy = true;
    for (let message = first; message; message = this.take()) {
      const pending = this.start(message);
      if (pending) {
        pending.then(
          () => this.run(this.take()),
          (error: unknown) => {
            this.reader.failed(error);
            this.run(this.take());
          },
        );
        return;
      }
    }
    this.busy = false;
    this.reader.idle();
  }

  private start(message: InboundMessage): Promise<void> | void {
    try {
      return this.reader.handle(message);
    } catch (error) {
      this.reader.failed(error);
      return undefined;
    }
  }

  private take(): InboundMessage | undefined {
    const message = this.waiting?.shift();
    if (!message) {
      this.waiting = null;
      return undefined;
    }
    this.waitingBytes -= message.bytes;
    this.reader.queued(-1);
    return message;
  }
}
