import type { Log } from "@hearth/runtime";

export interface Repetition {
  /** Resolves when the run that is under way has ended; none follows. */
  stop(): Promise<void>;
}

/** Runs a task again and again, never twice at once; a failure is logged once until it passes. */
export function repeat(task: () => Promise<void>, everyMs: number, name: string, log: Log): Repetition {
  let stopped = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    try {
      await task();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ task: name, err: error }, "housekeeping failed and will be tried again");
      failing = true;
    }
  };
  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run().then(schedule);
    }, everyMs);
  };

  let running = run().then(schedule);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
