import type { ClientLimits } from "@hearth/contracts";

/** Stays below the server's limit, because frames may arrive closer together than they were sent. */
const SHARE = 0.8;
/** Unanswered bytes. The server closes a connection with 4 MiB waiting. */
const WINDOW_BYTES = 2 * 1024 * 1024;
const WINDOW_FRAMES = 200;

export interface Frame {
  readonly bytes: number;
  /** A frame counts until it is answered. */
  readonly isAnswered: boolean;
  /** Sends the frame; false if nobody waits for it any more, then it costs nothing. */
  readonly send: () => boolean;
}

/** Sends frames in order, and no faster than the server accepts them (rules WS2, WS12). */
export interface Pace {
  add(frame: Frame): void;
  /** Sends at once, but counts. */
  charge(): void;
  /** A frame of that size was answered or abandoned. */
  settle(bytes: number): void;
  /** How many frames wait. */
  readonly waiting: number;
  stop(): void;
}

interface PaceClock {
  now(): number;
  later(milliseconds: number, run: () => void): () => void;
}

class TokenPace implements Pace {
  private readonly clock: PaceClock;
  private readonly perMs: number;
  private readonly burst: number;
  private readonly queue: Frame[] = [];
  private tokens: number;
  private countedAt: number;
  private bytes = 0;
  private frames = 0;
  private cancelTimer: (() => void) | null = null;

  constructor(clock: PaceClock, limits: ClientLimits) {
    this.clock = clock;
    this.perMs = (limits.messagesPerSecond * SHARE) / 1_000;
    this.burst = Math.max(1, limits.burst * SHARE);
    this.tokens = this.burst;
    this.countedAt = clock.now();
  }

  get waiting(): number {
    return this.queue.length;
  }

  add(frame: Frame): void {
    this.queue.push(frame);
    this.flush();
  }

  charge(): void {
    this.refill();
    this.tokens -= 1;
  }

  settle(bytes: number): void {
    this.frames -= 1;
    this.bytes -= bytes;
    this.flush();
  }

  stop(): void {
    this.queue.length = 0;
    this.cancelTimer?.();
  }

  private refill(): void {
    const now = this.clock.now();
    this.tokens = Math.min(this.burst, this.tokens + Math.max(0, now - this.countedAt) * this.perMs);
    this.countedAt = now;
  }

  private fits({ bytes }: Frame): boolean {
    return this.frames <= 0 || (this.frames < WINDOW_FRAMES && this.bytes + bytes <= WINDOW_BYTES);
  }

  private flush(): void {
    this.refill();
    for (let frame = this.queue[0]; frame !== undefined && this.fits(frame); frame = this.queue[0]) {
      if (this.tokens < 1) return this.wait();
      this.queue.shift();
      this.transmit(frame);
    }
  }

  private transmit(frame: Frame): void {
    const { isAnswered, bytes } = frame;
    // Counted before sending, because the answer may arrive meanwhile.
    this.tokens -= 1;
    if (isAnswered) this.frames += 1;
    if (isAnswered) this.bytes += bytes;
    if (frame.send()) return;
    this.tokens += 1;
    if (isAnswered) this.frames -= 1;
    if (isAnswered) this.bytes -= bytes;
  }

  private wait(): void {
    this.cancelTimer ??= this.clock.later(Math.ceil((1 - this.tokens) / this.perMs), () => {
      this.cancelTimer = null;
      this.flush();
    });
  }
}

export const createPace = (clock: PaceClock, limits: ClientLimits): Pace => new TokenPace(clock, limits);
