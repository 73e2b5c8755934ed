import { readdirSync, readFileSync } from "node:fs";

/** `/proc` counts processor time in hundredths of a second, whatever the kernel's own clock is. */
const MICROS_PER_TICK = 10_000;
const NANOS_PER_MICRO = 1_000;
const UTIME = 14;
const STIME = 15;

/** utime + stime of all threads, in µs, from the text of `/proc/PID/stat`; the command's name may hold anything. */
export function parseCpuMicros(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number): number => Number(afterName[number - 3]);
  const ticks = field(UTIME) + field(STIME);
  if (!Number.isInteger(ticks)) throw new Error("The processor time of a process could not be read");
  return ticks * MICROS_PER_TICK;
}

/** The µs that one thread ran, from its `schedstat`, in finer units. */
export function parseThreadMicros(schedstat: string): number {
  const nanos = Number(schedstat.split(" ", 1)[0]);
  if (schedstat === "" || !Number.isFinite(nanos)) throw new Error("A thread's time could not be read");
  return nanos / NANOS_PER_MICRO;
}

/** VmRSS in KiB from the text of `/proc/PID/status`. */
export function parseRssKib(status: string): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (found === undefined) throw new Error("The memory of a process could not be read");
  return Number(found);
}

const read = (file: string): string => readFileSync(file, "utf8");

/** Processor time of all threads in µs, from their `schedstat` if available, else from `stat`. */
export function cpuMicrosOf(pid: number): number {
  let micros = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      micros += parseThreadMicros(read(`/proc/${pid}/task/${thread}/schedstat`));
    }
  } catch {
    micros = 0;
  }
  return micros > 0 ? micros : parseCpuMicros(read(`/proc/${pid}/stat`));
}

export const rssKibOf = (pid: number): number => parseRssKib(read(`/proc/${pid}/status`));
