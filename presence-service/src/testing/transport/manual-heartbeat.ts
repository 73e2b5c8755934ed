import { type ManualClock, manualClock } from "@hearth/runtime/testing";
import type { Every } from "../../transport/heartbeat.ts";

/** A heartbeat whose clock and timer a test controls. */
export interface ManualHeartbeat {
  readonly clock: ManualClock;
  readonly every: Every;
  /** Lets time pass, then fires the timer. */
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
