import type { Later } from "../state/time-limit.ts";

/** Time that passes when a test says so. */
export interface HandClock {
  readonly wait: Later;
  /** Ends every wait that is still on. */
  readonly expire: () => void;
  readonly waiting: () => number;
}

export function createHandClock(): HandClock {
  const waits = new Set<() => void>();
  return {
    wait(_milliseconds, run) {
      waits.add(run);
      return () => void waits.delete(run);
    },
    expire() {
      const due = [...waits];
      waits.clear();
      for (const run of due) run();
    },
    waiting: () => waits.size,
  };
}
