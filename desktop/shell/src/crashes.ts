import type { Clock, Log } from "@hearth/runtime";
import type { AppWindow, DialogPort } from "./ports.ts";
import { STRINGS } from "./strings.ts";

const RELOADS = 3;
const WITHIN_MS = 60_000;

export interface CrashesOptions {
  readonly dialog: DialogPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly quit: () => void;
}

/** Handles crashed and hanging pages. */
export interface Crashes {
  gone(window: AppWindow, reason: string): void;
  unresponsive(window: AppWindow): void;
  responsive(): void;
}

export function createCrashes({ dialog, clock, log, quit }: CrashesOptions): Crashes {
  let reloads: number[] = [];
  let asking = false;

  const ask = (
    window: AppWindow,
    question: Parameters<DialogPort["ask"]>[0],
    reloadAt: number,
    other?: () => void,
  ) => {
    if (asking) return;
    asking = true;
    dialog
      .ask(question)
      .then((button) => {
        if (button === reloadAt) window.reload();
        else other?.();
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "dialog failed");
      })
      .finally(() => {
        asking = false;
      });
  };

  return {
    gone(window, reason) {
      if (reason === "clean-exit") return;
      log.error({ reason }, "window page ended");
      const now = clock.now();
      reloads = [...reloads.filter((at) => now - at < WITHIN_MS), now];
      if (reloads.length <= RELOADS) {
        window.reload();
        return;
      }
      const buttons = [STRINGS.reload, STRINGS.quit];
      ask(window, { message: STRINGS.gone, detail: STRINGS.goneDetail, buttons }, 0, quit);
    },
    unresponsive(window) {
      log.warn({}, "window page unresponsive");
      const buttons = [STRINGS.wait, STRINGS.reload];
      ask(window, { message: STRINGS.unresponsive, detail: STRINGS.unresponsiveDetail, buttons }, 1);
    },
    responsive() {
      log.info({}, "window page responsive again");
    },
  };
}
