import type { InboundMessage } from "./connection.ts";

/** Handles the messages of an inbox. */
export interface Reader {
  handle(message: InboundMessage): Promise<void> | void;
  /** True for a message that may begin before the end of others for which this is true. */
  overlaps(message: InboundMessage): boolean;
  /** A message failed; the next one follows. Must not throw. */
  failed(error: unknown): void;
  /** No message is being handled and none waits. Must not throw. */
  idle(): void;
  /** The number of waiting messages has changed. */
  queued(change: number): void;
}

/**
 * WS2: handles one message at a time, in arrival order. Only messages that overlap do not wait for each other's end. A
 * message costs no promise if its handler awaits nothing.
 */
export class Inbox {
  private readonly reader: Reader;
  private waiting: InboundMessage[] | null = null;
  private waitingBytes = 0;
  private running = false;
  /** How many messages have begun and not ended. */
  private pending = 0;
  /** True if a pending message does not overlap: then no other may begin. */
  private exclusive = false;

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
    return !this.running && this.pending === 0;
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

  /** Drops the waiting messages. Messages that have begun go on. */
  clear(): void {
    if (this.waiting) this.reader.queued(-this.waiting.length);
    this.waiting = null;
    this.waitingBytes = 0;
  }

  private mayBegin(message: InboundMessage): boolean {
    return this.pending === 0 || (!this.exclusive && this.reader.overlaps(message));
  }

  private run(first: InboundMessage | undefined): void {
    this.running = true;
    for (let message = first; message; message = this.take()) {
      const work = this.start(message);
      if (work) this.await(work, message);
    }
    this.running = false;
    if (this.pending === 0) this.reader.idle();
  }

  private await(work: Promise<void>, message: InboundMessage): void {
    const ended = (): void => {
      this.pending -= 1;
      this.run(this.take());
    };
    this.pending += 1;
    this.exclusive = !this.reader.overlaps(message);
    work.then(ended, (error: unknown) => {
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
