import type { Door } from "./connection.ts";
import type { Frame } from "./frame.ts";

/**
 * The frames that one connection has yet to send, oldest first. It never changes: `append` answers the longer
 * batch, and connections that were sent the same frames in the same order hold the very same one. So a room's
 * frames of one turn are joined into one buffer once, not once per member.
 */
export class Batch {
  /** Bytes of all its frames together. */
  readonly bytes: number;
  private readonly door: Door;
  /** The batch that this one is longer than by one frame; both are null in the empty batch. */
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

  /** The batch without frames that every other of this door grows from. */
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

  /** Lets go of the joined buffer and of longer batches; those who hold one keep it. */
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
