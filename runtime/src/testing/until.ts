import { setTimeout } from "node:timers/promises";

const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 100;

/**
 * Resolves as soon as `check` answers true. Asks again after 5 ms, then after twice as long each time, up to 100 ms.
 * Rejects with `explain()` when `check` still answers false after `limitMs`, and with the error of a `check` that throws.
 */
export async function until(
  check: () => boolean | Promise<boolean>,
  limitMs = 30_000,
  explain: () => string = () => `still false: ${String(check)}`,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; !(await check()); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if (performance.now() > deadline) throw new Error(`After ${limitMs} ms: ${explain()}`);
    await setTimeout(pauseMs);
  }
}
