import type { Duplex } from "node:stream";
import type { Batch } from "./batch.ts";
import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";
import type { TransportLimits } from "./settings.ts";
import type { Turn, Writer } from "./turn.ts";

/** A batch of this size is not held until the end of the turn. The socket receives no more at once. */
const WRITE_BYTES = 1024 * 1024;

/** What happened to a frame. WS13: `overflow` means that the reader is too slow, so the connection must be closed. */
export type Posted = "kept" | "dropped" | "overflow";

/**
 * The frames that one connection still has to send. If the reader does not keep up, frames wait here instead of in the
 * socket, so that they can be counted, dropped, and discarded when the connection ends (rule WS13).
 */
export class Outbox implements Writer {
  private readonly socket: Duplex;
  private readonly turn: Turn;
  private readonly limits: TransportLimits["unsent"];
  private readonly empty: Batch;
  private batch: Batch;
  /** Batches of about `WRITE_BYTES` that precede `batch`; only a slow reader has any. */
  private full: Batch[] | null = null;
  private fullBytes = 0;
  /** True from a write that the socket could not pass on at once until the socket has drained. */
  private blocked = false;
  private listening = false;

  constructor(socket: Duplex, door: Door, turn: Turn, limits: TransportLimits["unsent"]) {
    this.socket = socket;
    this.turn = turn;
    this.limits = limits;
    this.empty = turn.empty[door];
    this.batch = this.empty;
  }

  get unsentBytes(): number {
    return this.fullBytes + this.batch.bytes + this.socket.writableLength;
  }

  post(frame: Frame): Posted {
    const longer = this.batch.append(frame);
    if (this.blocked) return this.postToSlow(frame, longer);
    if (this.batch.bytes === 0) this.turn.add(this);
    this.batch = longer;
    if (longer.bytes > WRITE_BYTES) this.flush();
    return "kept";
  }

  flush(): void {
    if (this.blocked || this.batch.bytes === 0) return;
    const { batch } = this;
    this.batch = this.empty;
    this.write(batch);
  }

  /** Writes everything now, even if the reader does not keep up. Only closing messages follow. */
  force(): void {
    for (const batch of this.full ?? []) this.write(batch);
    this.write(this.batch);
    this.discard();
    this.blocked = false;
  }

  /** Drops all frames that the socket has not received yet. */
  discard(): void {
    this.full = null;
    this.fullBytes = 0;
    this.batch = this.empty;
  }

  private postToSlow(frame: Frame, longer: Batch): Posted {
    const unsent = this.unsentBytes;
    if (frame.fromStranger && unsent > this.limits.dropStrangers) return "dropped";
    if (frame.ephemeral && unsent > this.limits.dropEphemeral) return "dropped";
    if (unsent + longer.bytes - this.batch.bytes > this.limits.close) return "overflow";
    this.batch = longer;
    if (longer.bytes > WRITE_BYTES) this.setAside(longer);
    return "kept";
  }

  private setAside(batch: Batch): void {
    this.full ??= [];
    this.full.push(batch);
    this.fullBytes += batch.bytes;
    this.batch = this.empty;
  }

  /** Returns false if the next batch has to wait. */
  private write(batch: Batch): boolean {
    if (batch.bytes === 0 || !this.socket.writable) return true;
    if (this.turn.write(this.socket, batch)) return true;
    this.blocked = true;
    if (!this.listening) this.socket.once("drain", () => this.drained());
    this.listening = true;
    return false;
  }

  private drained(): void {
    this.listening = false;
    this.blocked = false;
    for (let batch = this.full?.shift(); batch; batch = this.full?.shift()) {
      this.fullBytes -= batch.bytes;
      if (!this.write(batch)) return;
    }
    this.full = null;
    this.flush();
  }
}
