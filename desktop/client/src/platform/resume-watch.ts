/** A page in front ticks every few seconds; browsers let one in the background tick once in a minute. */
const LATE_MS = 15_000;
const LATE_HIDDEN_MS = 90_000;

/** Notices by its own clock that a page did not run for a while. */
export interface ResumeWatch {
  /** Called every few seconds. */
  tick(isVisible: boolean): void;
  /** Called when the page is shown again. */
  shown(): void;
}

export function createResumeWatch(now: () => number, onResume: () => void): ResumeWatch {
  let last = now();
  const look = (lateMs: number): void => {
    const since = now() - last;
    last = now();
    if (since > lateMs) onResume();
  };
  return {
    tick: (isVisible) => look(isVisible ? LATE_MS : LATE_HIDDEN_MS),
    shown: () => look(LATE_MS),
  };
}
