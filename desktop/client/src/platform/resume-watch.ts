/** A visible page ticks every few seconds, a background page once a minute. */
const LATE_MS = 15_000;
const LATE_HIDDEN_MS = 90_000;

/** Detects by the clock that a page was suspended. */
export interface ResumeWatch {
  /** Called every few seconds. */
  tick(isVisible: boolean): void;
  /** Called when the page becomes visible. */
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
