import type { Platform } from "../ports.ts";

export interface Rounds<Item> {
  add(items: readonly Item[]): void;
  stop(): void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Past it whatever comes is dropped: a store that cannot write for so long will not hold it either. */
const MOST_WAITING = 20_000;

/**
 * Handles what was added in this turn at once, and what comes while a round is under way in the next one. What a round
 * could not handle goes first in a later one, so handling something twice must do no harm.
 */
export function createRounds<Item>(
  platform: Pick<Platform, "later">,
  handle: (items: readonly Item[]) => Promise<void>,
): Rounds<Item> {
  let waiting: Item[] = [];
  let isRunning = false;
  let isStopped = false;
  let failures = 0;
  let callOff: (() => void) | null = null;

  async function run(): Promise<void> {
    await Promise.resolve();
    while (waiting.length > 0 && !isStopped) {
      const items = waiting;
      waiting = [];
      try {
        await handle(items);
        failures = 0;
      } catch {
        waiting = [...items, ...waiting];
        return retryLater();
      }
    }
  }

  function retryLater(): void {
    failures += 1;
    callOff = platform.later(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS), () => {
      callOff = null;
      start();
    });
  }

  function start(): void {
    if (isRunning || isStopped || callOff !== null) return;
    isRunning = true;
    void run().finally(() => {
      isRunning = false;
      if (waiting.length > 0) start();
    });
  }

  return {
    add(items) {
      if (isStopped) return;
      waiting.push(...items.slice(0, MOST_WAITING - waiting.length));
      start();
    },
    stop() {
      isStopped = true;
      waiting = [];
      callOff?.();
    },
  };
}
