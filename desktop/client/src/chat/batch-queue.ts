import type { Platform } from "../ports.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Beyond this limit new items are dropped: a store that fails for so long could not hold them either. */
const MAX_WAITING = 20_000;

/**
 * Handles all items added in one turn as one batch. Items that arrive during a batch go into the next one. A failed
 * batch is retried first, so the handler must be idempotent.
 */
export class BatchQueue<Item> {
  private readonly platform: Pick<Platform, "later">;
  private readonly handle: (items: readonly Item[]) => Promise<void>;
  private waiting: Item[] = [];
  private isRunning = false;
  private failures = 0;
  private cancelRetry: (() => void) | null = null;
  private stops = 0;

  constructor(platform: Pick<Platform, "later">, handle: (items: readonly Item[]) => Promise<void>) {
    this.platform = platform;
    this.handle = handle;
  }

  add(items: readonly Item[]): void {
    this.waiting.push(...items.slice(0, Math.max(0, MAX_WAITING - this.waiting.length)));
    this.begin();
  }

  /** Drops all waiting items. */
  stop(): void {
    this.stops += 1;
    this.waiting = [];
    this.failures = 0;
    this.cancelRetry?.();
    this.cancelRetry = null;
  }

  private begin(): void {
    if (this.isRunning || this.cancelRetry !== null) return;
    this.isRunning = true;
    void this.run().finally(() => {
      this.isRunning = false;
      if (this.waiting.length > 0) this.begin();
    });
  }

  private async run(): Promise<void> {
    await Promise.resolve();
    while (this.waiting.length > 0 && this.cancelRetry === null) {
      const [items, { stops }] = [this.waiting, this];
      this.waiting = [];
      try {
        await this.handle(items);
        this.failures = 0;
      } catch {
        if (stops === this.stops) this.putBack(items);
      }
    }
  }

  private putBack(items: readonly Item[]): void {
    this.waiting = [...items, ...this.waiting];
    this.failures += 1;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (this.failures - 1), LAST_RETRY_MS);
    this.cancelRetry = this.platform.later(delayMs, () => {
      this.cancelRetry = null;
      this.begin();
    });
  }
}
