import type { Clock } from "@hearth/runtime";
import type { HeartbeatSettings } from "./settings.ts";

/** Calls back at an interval. Returns a function that ends this. */
export type Every = (milliseconds: number, callback: () => void) => () => void;

export const everyInterval: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
};

/** A connection whose liveness is checked. */
export interface Monitored {
  tick(elapsedMs: number, settings: HeartbeatSettings): void;
}

/**
 * WS11 for all connections, with one timer. Only time in which this process runs counts as silence. So after a sleep or a
 * jump of the clock, every connection receives a ping before it can be closed.
 */
export function startHeartbeat(
  connections: Iterable<Monitored>,
  settings: HeartbeatSettings,
  clock: Clock,
  every: Every,
): () => void {
  let last = clock.now();
  return every(settings.sweepMs, () => {
    const now = clock.now();
    const elapsed = Math.min(Math.max(now - last, 0), 2 * settings.sweepMs);
    last = now;
    for (const connection of connections) connection.tick(elapsed, settings);
  });
}
