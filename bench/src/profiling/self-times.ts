import type { Profiler } from "node:inspector";

export interface SelfTime {
  /** The function and where it is written, or a kind of code. */
  readonly frame: string;
  /** Of the time in which the processor was busy, in %. */
  readonly share: number;
}

type CallFrame = Profiler.ProfileNode["callFrame"];

/** Waiting for something to do. */
const isIdle = ({ functionName }: CallFrame): boolean => functionName === "(idle)";
/** The profiler itself, as it begins and ends. */
const isProfiler = ({ url }: CallFrame): boolean => url === "node:inspector";

/** `file:///…/presence-service/src/x.ts` as `presence-service/src/x.ts`; a package's file from its name on. */
function placeOf(url: string, root: string): string {
  const inPackages = url.lastIndexOf("/node_modules/");
  if (inPackages >= 0) return url.slice(inPackages + "/node_modules/".length);
  return url.startsWith(root) ? url.slice(root.length) : url;
}

const functionOf = ({ functionName, url, lineNumber }: CallFrame, root: string): string => {
  const name = functionName === "" ? "(anonymous)" : functionName;
  return url === "" ? name : `${name} ${placeOf(url, root)}:${lineNumber + 1}`;
};

function kindOf({ functionName, url }: CallFrame, root: string): string {
  if (/^write(v|Buffer|Utf8String|Latin1String)$/.test(functionName) && url === "") {
    return "writing to sockets: the kernel";
  }
  if (functionName === "(garbage collector)") return "collecting garbage";
  if (url.includes("/node_modules/")) return "packages";
  if (url.startsWith(root)) return "our own code";
  return "Node's own code, and what no function is known for";
}

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

/** Where the time went, the most costly first: the time in each function itself, without what it called. */
export const selfTimes = (profile: Profiler.Profile, root: string): SelfTime[] =>
  shares(profile, (frame) => functionOf(frame, root));

/** The same, summed by whose code it is. */
export const kindsOfTime = (profile: Profiler.Profile, root: string): SelfTime[] =>
  shares(profile, (frame) => kindOf(frame, root));
