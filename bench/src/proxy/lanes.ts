import { percentile } from "../figures/statistics.ts";
import type { ServerProcess } from "../servers/server-process.ts";

/**
 * Parallel lanes that repeat some work for a time. `server` is the process whose time counts; without one only
 * latencies are measured.
 */
export async function runLanes(
  lanes: readonly (() => Promise<unknown>)[],
  atMostMs: number,
  server: ServerProcess | undefined,
) {
  const latencies: number[] = [];
  const cpuBefore = server?.cpuMicros ?? 0;
  const startedAt = performance.now();
  const run = async (one: () => Promise<unknown>): Promise<void> => {
    for (let now = startedAt; now - startedAt < atMostMs; ) {
      await one();
      const done = performance.now();
      latencies.push(done - now);
      now = done;
    }
  };
  await Promise.all(lanes.map(run));
  const elapsedMs = performance.now() - startedAt;
  return {
    ...(server && { cpuPerItem: (server.cpuMicros - cpuBefore) / latencies.length }),
    perSecond: latencies.length / (elapsedMs / 1000),
    p50Micros: percentile(latencies, 50) * 1000,
    p99Micros: percentile(latencies, 99) * 1000,
  };
}
