import type { HeapProfiler } from "node:inspector";
import { functionOf } from "./call-frames.ts";

export interface LiveBytes {
  /** The function that allocated. */
  readonly frame: string;
  readonly bytes: number;
}

/** The memory still in use by allocating function, largest first. */
export function liveBytes({ head }: HeapProfiler.SamplingHeapProfile, root: string): LiveBytes[] {
  const bytes = new Map<string, number>();
  const pending = [head];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const frame = functionOf(node.callFrame, root);
    bytes.set(frame, (bytes.get(frame) ?? 0) + node.selfSize);
    pending.push(...node.children);
  }
  return [...bytes]
    .map(([frame, sum]) => ({ frame, bytes: sum }))
    .toSorted((one, other) => other.bytes - one.bytes);
}
