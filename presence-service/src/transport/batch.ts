import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";

/**
 * The frames that one connection still has to send, oldest first. A batch never changes: `append` returns the longer batch,
 * and connections with the same frames in the same order share one batch. So the frames that a room receives in one turn
 * are joined into one buffer once, not once per member.
 */
export class Batch {
  /** The bytes of all its frames. */
  readonly bytes: number;
  private readonly door: Door;
  /** The batch without the last frame; `previous` and `frame` are null in the empty batch. */
  private readonly previous: Batch | null;
  private readonly frame: Frame | null;
  private next: Batch | null = null;
  private whole: Buffer | null = null;

  private constructor(door: Door, previous: Batch | null, frame: Frame | null) {
    this.door = door;
    this.previous = previous;
    this.frame = frame;
    this.bytes = previous && frame ? previous.bytes + frame[door].length : 0;
  }

  /** The batch without frames, from which all other batches of this door grow. */
  static empty(door: Door): Batch {
    return new Batch(door, null, null);
  }

  append(frame: Frame): Batch {
    if (this.next?.frame === frame) return this.next;
    return (this.next = new Batch(this.door, this, frame));
  }

  /** All frames in one buffer, kept until `forget`. */
  join(): Buffer {
    return (this.whole ??= this.concatenate());
  }

  /** Releases the joined buffer and longer batches. A connection that holds a longer batch keeps it. */
  forget(): void {
    this.next = null;
    this.whole = null;
  }

  private frames(): Frame[] {
    const newestFirst: Frame[] = [];
    let { frame, previous } = this as Batch;
    while (frame && previous) {
      newestFirst.push(frame);
      ({ frame, previous } = previous);
    }
    return newestFirst.reverse();
  }

  private concatenate(): Buffer {
    const newest = this.frame?.[this.door];
    if (newest?.length === this.bytes) return newest;
    const whole = Buffer.allocUnsafeSlow(this.bytes);
    let at = 0;
    for (const frame of this.frames()) {
      whole.set(frame[this.door], at);
      at += frame[this.door].length;
    }
    return whole;
  }
}
