import type { Platform } from "../ports.ts";
import { createSerial } from "./serial.ts";

const RETRY_MS = 5_000;

/**
 * Delays writes of values that change often and writes only the last value per key. With a delay of 0 it writes at
 * once, and once more for everything set during a write. A failed write is retried.
 */
export class DebouncedWrites<Value> {
  private readonly platform: Pick<Platform, "later">;
  private readonly delayMs: number;
  private readonly write: (value: Value) => Promise<void>;
  private readonly unsaved = new Map<string, Value>();
  private readonly inOrder = createSerial();
  private cancelRetry: (() => void) | null = null;

  constructor(platform: Pick<Platform, "later">, delayMs: number, write: (value: Value) => Promise<void>) {
    this.platform = platform;
    this.delayMs = delayMs;
    this.write = write;
  }

  get(key: string): Value | undefined {
    return this.unsaved.get(key);
  }

  set(key: string, value: Value): void {
    this.unsaved.set(key, value);
    if (this.delayMs === 0) void this.flush();
    else this.schedule(this.delayMs);
  }

  /** Writes all pending values. Never rejects. */
  async flush(): Promise<void> {
    return this.inOrder(async () => {
      for (const [key, value] of [...this.unsaved]) {
        try {
          await this.write(value);
          if (this.unsaved.get(key) === value) this.unsaved.delete(key);
        } catch {
          this.schedule(RETRY_MS);
        }
      }
    });
  }

  clear(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    this.unsaved.clear();
  }

  private schedule(delayMs: number): void {
    this.cancelRetry ??= this.platform.later(delayMs, () => {
      this.cancelRetry = null;
      void this.flush();
    });
  }
}
