import { monitorEventLoopDelay } from "node:perf_hooks";
import { Session } from "node:inspector";
import type { HeapProfiler, Profiler } from "node:inspector";

/**
 * Loaded into every measured process, ours and the peers', and idle until the load client sends a request over the
 * IPC channel.
 */
const DELAY_RESOLUTION_MS = 1;
const MICROS_PER_SAMPLE = 200;
const BYTES_PER_SAMPLE = 2048;
const NANOS_PER_MS = 1_000_000;

let delay: ReturnType<typeof monitorEventLoopDelay> | undefined;
let session: Session | undefined;

/** The sampling timer waits for its interval; only the excess is delay. */
const delayMs = (nanos: number): number => Math.max(0, nanos / NANOS_PER_MS - DELAY_RESOLUTION_MS);

function collectGarbage(): Record<string, number> {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.({ type: "major", execution: "sync" });
  const { heapUsed, external } = process.memoryUsage();
  return { collected: globalThis.gc ? 1 : 0, heapBytes: heapUsed + external };
}

function startDelay(): Record<string, number> {
  delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return {};
}

function stopDelay(): Record<string, number> {
  delay?.disable();
  if (!delay || delay.count === 0) throw new Error("No event-loop delay was recorded");
  return { p50: delayMs(delay.percentile(50)), p99: delayMs(delay.percentile(99)), max: delayMs(delay.max) };
}

function startProfile(): Record<string, number> {
  session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: MICROS_PER_SAMPLE });
  session.post("Profiler.start");
  return {};
}

function startHeapProfile(): Record<string, number> {
  session = new Session();
  session.connect();
  session.post("HeapProfiler.startSampling", { samplingInterval: BYTES_PER_SAMPLE });
  return {};
}

/** Memory allocated since the start and still in use. */
function stopHeapProfile(): HeapProfiler.SamplingHeapProfile {
  collectGarbage();
  let profile: HeapProfiler.SamplingHeapProfile | undefined;
  session?.post("HeapProfiler.stopSampling", (error, answer) => {
    if (!error) profile = answer.profile;
  });
  session?.disconnect();
  if (!profile) throw new Error("No heap profile was taken");
  return profile;
}

function stopProfile(): Profiler.Profile {
  let profile: Profiler.Profile | undefined;
  session?.post("Profiler.stop", (error, answer) => {
    if (!error) profile = answer.profile;
  });
  session?.disconnect();
  if (!profile) throw new Error("No profile was taken");
  return profile;
}

const questions: Readonly<Record<string, () => unknown>> = {
  "collect-garbage": collectGarbage,
  "start-delay": startDelay,
  "stop-delay": stopDelay,
  "start-profile": startProfile,
  "stop-profile": stopProfile,
  "start-heap-profile": startHeapProfile,
  "stop-heap-profile": stopHeapProfile,
};

process.on("message", (message: unknown) => {
  if (typeof message !== "object" || message === null || !("probe" in message)) return;
  const answer = questions[String(message.probe)];
  try {
    process.send?.({ probed: message.probe, answer: answer?.() });
  } catch (error) {
    process.send?.({ probed: message.probe, error: String(error) });
  }
});
process.channel?.unref();
