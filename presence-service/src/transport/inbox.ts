import type { InboundMessage } from "./connection.ts";

/** The consumer of an inbox. */
export interface Reader {
  handle(message: InboundMessage): Promise<void> | void;
  /** True for a message that may begin while others of which this is true are still waited for. */
  overlaps(message: InboundMessage): boolean;
  /** A message failed; the next one follows. Must not throw. */
  failed(error: unknown): void;
  /** Nothing is under way and nothing waits. Must not throw. */
  idle(): void;
  /** The number of waiting messages has changed. */
  queued(change: number): void;
}

/**
 * WS2: one message at a time, in arrival order; only messages that overlap do not wait for each other's end. Without a
 * handler that awaits, a message costs no promise.
 */
export class Inbox {
  private readonly reader: Reader;
  private waiting: InboundMessage[] | null = null;
  private waitingBytes = 0;
  private running = false;
  private underWay = 0;
  /** What is under way lets nothing begin beside it. */
  private alone = false;

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
    return !this.running && this.underWay === 0;
  }

  push(message: InboundMessage): void {
    if (!this.running && this.waiting === null && this.mayBegin(message)) {
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

  private mayBegin(message: InboundMessage): boolean {
    return this.underWay === 0 || (!this.alone && this.reader.overlaps(message));
  }

  private run(first: InboundMessage | undefined): void {
    this.running = true;
    for (let message = first; message; message = this.take()) {
      const pending = this.start(message);
      if (pending) this.await(pending, message);
    }
    this.running = false;
    if (this.underWay === 0) this.reader.idle();
  }

  private await(pending: Promise<void>, message: InboundMessage): void {
    const ended = (): void => {
      this.underWay -= 1;
      this.run(this.take());
    };
    this.underWay += 1;
    this.alone = !this.reader.overlaps(message);
    pending.then(ended, (error: unknown) => {
      this.reader.failed(error);
      ended();
    });
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
    const message = this.waiting?.[0];
    if (!message) {
      this.waiting = null;
      return undefined;
    }
    if (!this.mayBegin(message)) return undefined;
    this.waiting?.shift();
    this.waitingBytes -= message.bytes;
    this.reader.queued(-1);
    return message;
  }
}
