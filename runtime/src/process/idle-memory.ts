import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Part } from "../lifecycle/lifecycle.ts";

/** The memory and the load of the process at one check. */
export interface MemoryReading {
  readonly residentBytes: number;
  readonly usedHeapBytes: number;
  /** The share of time since the last check in which the event loop was busy, 0 to 1. */
  readonly utilization: number;
}

const MEGABYTE = 1024 * 1024;
const CHECK_MS = 5_000;
const MIN_BETWEEN_MS = 15_000;
const IDLE_BELOW = 0.1;
/** Growth that justifies a pause. */
const GROWTH_BYTES = 32 * MEGABYTE;
/** A full collection pauses the process for some 3 ms per MB in use. */
const MAX_USED_HEAP_BYTES = 128 * MEGABYTE;

/** Decides when an idle process should give back the memory of an earlier burst. */
export class IdleMemory {
  readonly #collect: () => void;
  #lowest = Infinity;
  #collectedAt = -Infinity;

  constructor(collect: () => void) {
    this.#collect = collect;
  }

  /** `now` is in milliseconds of a monotonic clock. */
  check({ residentBytes, usedHeapBytes, utilization }: MemoryReading, now: number): void {
    this.#lowest = Math.min(this.#lowest, residentBytes);
    if (residentBytes < this.#lowest + GROWTH_BYTES) return;
    if (utilization > IDLE_BELOW || usedHeapBytes > MAX_USED_HEAP_BYTES) return;
    if (now - this.#collectedAt < MIN_BETWEEN_MS) return;
    this.#collect();
    this.#collectedAt = now;
    // The memory that is left is in use: only growth beyond it counts from here on.
    this.#lowest = Infinity;
  }
}

type Collect = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void;

/** Node's `gc`, also in a process that was started without `--expose-gc`. */
function exposedCollector(): Collect {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as Collect;
}

/**
 * Gives memory back after a burst (rule AB2). V8 collects garbage only while something is allocated, so an idle process
 * would keep the garbage of its busiest moment. It also keeps freed pages: only a collection of last resort returns them
 * to the system. The process may keep the memory that it has when this starts.
 */
export function createIdleMemory(): Part {
  let collector: Collect | undefined;
  const memory = new IdleMemory(() => {
    collector ??= exposedCollector();
    collector({ type: "major", flavor: "last-resort" });
  });
  let before = performance.eventLoopUtilization();
  const check = (): void => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, before);
    before = current;
    const usedHeapBytes = getHeapStatistics().used_heap_size;
    memory.check({ residentBytes: process.memoryUsage.rss(), usedHeapBytes, utilization }, performance.now());
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    name: "idle-memory",
    start: async () => {
      check();
      timer = setInterval(check, CHECK_MS).unref();
    },
    stop: async () => clearInterval(timer),
  };
}
