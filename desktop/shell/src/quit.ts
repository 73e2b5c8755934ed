import type { Log } from "@hearth/runtime";

export interface QuitOptions {
  /** Stops everything in order; false if something failed to stop. */
  readonly stop: () => Promise<boolean>;
  readonly exit: (code: number) => void;
  readonly log: Log;
}

/** Quits once: stops everything first, then ends the process. */
export function createQuit({ stop, exit, log }: QuitOptions): (code?: number) => void {
  let worst: number | undefined;
  return (code = 0) => {
    const first = worst === undefined;
    worst = Math.max(worst ?? 0, code);
    if (!first) return;
    log.info({ code }, "ending");
    stop().then(
      (clean) => {
        exit(clean ? (worst ?? 0) : 1);
      },
      (error: unknown) => {
        log.error({ err: error }, "shutdown failed");
        exit(1);
      },
    );
  };
}
