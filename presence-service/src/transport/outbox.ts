import type { Duplex } from "node:stream";
import type { Batch } from "./batch.ts";
import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";
import type { TransportLimits } from "./settings.ts";
import type { Turn, Writer } from "./turn.ts";

/** More than this is not left waiting for the end of the turn, nor given to the socket at once. */
const WRITE_BYTES = 1024 * 1024;

/** What became of a frame: `overflow` means that the reader is too slow to go on (rule WS13). */
export type Posted = "kept" | "dropped" | "overflow";

/**
 * What one connection has yet to send. Frames wait here, not in the socket, while the reader does not keep up,
 * so that they can be counted, left out, and thrown away when the connection ends (rule WS13).
 */
export class Outbox implements Writer {
  private readonly socket: Duplex;
  private readonly door: Door;
  private readonly turn: Turn;
  private readonly limits: TransportLimits["unsent"];
  private batch: Batch;
  /** True from a write that the socket took with reluctance until it has drained. */
  private held = false;

  constructor(socket: Duplex, door: Door, turn: Turn, limits: TransportLimits["unsent"]) {
    this.socket = socket;
    this.door = door;
    this.turn = turn;
    this.limits = limits;
    this.batch = turn.empty[door];
  }

  get unsentBytes(): number {
    return this.batch.bytes + this.socket.writableLength;
  }

  post(frame: Frame): Posted {
    const longer = this.batch.append(frame);
    if (this.held) return this.postToSlow(frame, longer);
    this.keep(longer);
    if (longer.bytes > WRITE_BYTES) this.flush();
    return "kept";
  }

  flush(): void {
    const { batch } = this;
    if (this.held || batch.bytes === 0) return;
    this.batch = this.turn.empty[this.door];
    this.write(batch);
  }

  /** Writes everything now, whether the reader keeps up or not: nothing comes after but the close frame. */
  force(): void {
    this.held = false;
    this.flush();
  }

  /** Throws away what the socket has not been given yet. */
  discard(): void {
    this.batch = this.turn.empty[this.door];
  }

  private postToSlow(frame: Frame, longer: Batch): Posted {
    const inSocket = this.socket.writableLength;
    if (frame.ephemeral && this.batch.bytes + inSocket > this.limits.dropEphemeral) return "dropped";
    if (longer.bytes + inSocket > this.limits.close) return "overflow";
    this.keep(longer);
    return "kept";
  }

  private keep(longer: Batch): void {
    if (this.batch.bytes === 0) this.turn.add(this);
    this.batch = longer;
  }

  private write(batch: Batch): void {
    if (!this.socket.writable || this.turn.write(this.socket, batch)) return;
    this.held = true;
    this.socket.once("drain", () => this.drained());
  }

  private drained(): void {
    this.held = false;
    if (this.batch.bytes <= WRITE_BYTES) {
      this.flush();
      return;
    }
    const [first, rest] = this.batch.split(WRITE_BYTES);
    this.batch = rest;
    this.write(first);
  }
}
