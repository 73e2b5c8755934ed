import { type ManualClock, manualClock } from "@hearth/runtime/testing";
import type { Every } from "../../transport/heartbeat.ts";

/** A heartbeat whose clock and timer a test turns. */
export interface ManualHeartbeat {
  readonly clock: ManualClock;
  readonly every: Every;
  /** So much time passes, and then the timer fires. */
  readonly pass: (milliseconds: number) => void;
}

export function manualHeartbeat(): ManualHeartbeat {
  const clock = manualClock();
  let sweep = (): void => undefined;
  return {
    clock,
    every(_milliseconds, callback) {
      sweep = callback;
      return () => (sweep = () => undefined);
    },
    pass(milliseconds) {
      clock.advance(milliseconds);
      sweep();
    },
  };
}
