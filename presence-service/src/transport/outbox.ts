import type { Duplex } from "node:stream";
import type { Batch } from "./batch.ts";
import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";
import type { TransportLimits } from "./settings.ts";
import type { Turn, Writer } from "./turn.ts";

/** More than this does not wait for the end of the turn, and is not given to the socket at once. */
const WRITE_BYTES = 1024 * 1024;

/** What became of a frame: `overflow` means that the reader is too slow to go on (rule WS13). */
export type Posted = "kept" | "dropped" | "overflow";

/**
 * What one connection has yet to send. Frames wait here, not in the socket, while the reader does not keep up,
 * so that they can be counted, left out, and thrown away when the connection ends (rule WS13).
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
  /** True from a write that the socket could not pass on at once until it has drained. */
  private held = false;
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
    if (this.held) return this.postToSlow(frame, longer);
    if (this.batch.bytes === 0) this.turn.add(this);
    this.batch = longer;
    if (longer.bytes > WRITE_BYTES) this.flush();
    return "kept";
  }

  flush(): void {
    if (this.held || this.batch.bytes === 0) return;
    const { batch } = this;
    this.batch = this.empty;
    this.write(batch);
  }

  /** Writes everything now, whether the reader keeps up or not; only closing messages follow. */
  force(): void {
    for (const batch of this.full ?? []) this.write(batch);
    this.write(this.batch);
    this.discard();
    this.held = false;
  }

  /** Throws away what the socket has not been given yet. */
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

  /** False when the next one has to wait. */
  private write(batch: Batch): boolean {
    if (batch.bytes === 0 || !this.socket.writable) return true;
    if (this.turn.write(this.socket, batch)) return true;
    this.held = true;
    if (!this.listening) this.socket.once("drain", () => this.drained());
    this.listening = true;
    return false;
  }

  private drained(): void {
    this.listening = false;
    this.held = false;
    for (let batch = this.full?.shift(); batch; batch = this.full?.shift()) {
      this.fullBytes -= batch.bytes;
      if (!this.write(batch)) return;
    }
    this.full = null;
    this.flush();
  }
}
