/** Delays between retries (rule CL6): a random time between half and all of a step that doubles from 1 s to 30 s. */
const FIRST_STEP_MS = 1_000;
const LAST_STEP_MS = 30_000;

export interface Backoff {
  next(): number;
  reset(): void;
}

export function createBackoff(random: () => number): Backoff {
  let step = FIRST_STEP_MS;
  return {
    next() {
      const delay = Math.round(step / 2 + (random() * step) / 2);
      step = Math.min(LAST_STEP_MS, step * 2);
      return delay;
    },
    reset: () => void (step = FIRST_STEP_MS),
  };
}
