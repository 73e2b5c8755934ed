import type { Log } from "../log/log.ts";

export interface RepeatOptions {
  readonly everyMs: number;
  /** Names the work in the log. */
  readonly name: string;
  readonly log: Log;
  /** The first run begins at once; default is after `everyMs`. */
  readonly immediately?: boolean;
}

export interface Repetition {
  /** Resolves when the run in progress has ended; no other follows. */
  stop(): Promise<void>;
}

/**
 * Runs work every `everyMs` milliseconds and skips a turn while the previous run lasts. A failure is logged once until a
 * run succeeds. The timer does not keep the process alive.
 */
export function repeat(
  work: () => Promise<void>,
  { everyMs, name, log, immediately = false }: RepeatOptions,
): Repetition {
  let failing = false;
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ task: name, err: error }, "housekeeping failed and will be tried again");
      failing = true;
    }
  };
  const runOnce = (): void => {
    running ??= run().finally(() => (running = undefined));
  };

  const timer = setInterval(runOnce, everyMs).unref();
  if (immediately) runOnce();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
