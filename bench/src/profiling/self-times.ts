import type { Profiler } from "node:inspector";
import { functionOf, kindOf } from "./call-frames.ts";
import type { CallFrame } from "./call-frames.ts";

export interface SelfTime {
  /** The function and where it is written, or a kind of code. */
  readonly frame: string;
  /** Share of the busy processor time, in %. */
  readonly share: number;
}

/** Waiting for something to do. */
const isIdle = ({ functionName }: CallFrame): boolean => functionName === "(idle)";
/** The profiler's own start and end. */
const isProfiler = ({ url }: CallFrame): boolean => url === "node:inspector";

function shares(profile: Profiler.Profile, nameOf: (callFrame: CallFrame) => string): SelfTime[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const micros = new Map<string, number>();
  let busy = 0;
  for (const [at, id] of (profile.samples ?? []).entries()) {
    const frame = frames.get(id);
    const delta = profile.timeDeltas?.[at] ?? 0;
    if (!frame || isIdle(frame) || isProfiler(frame)) continue;
    const name = nameOf(frame);
    busy += delta;
    micros.set(name, (micros.get(name) ?? 0) + delta);
  }
  return [...micros]
    .map(([frame, time]) => ({ frame, share: (100 * time) / busy }))
    .toSorted((one, other) => other.share - one.share);
}

/** Self time per function, largest first. */
export const selfTimes = (profile: Profiler.Profile, root: string): SelfTime[] =>
  shares(profile, (frame) => functionOf(frame, root));

/** The same, summed by package or folder. */
export const kindsOfTime = (profile: Profiler.Profile, root: string): SelfTime[] =>
  shares(profile, (frame) => kindOf(frame, root));
