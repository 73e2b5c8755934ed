import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Seconds by stage, or by stage and file. */
export type Times = Readonly<Record<string, number>>;

const folder = path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "hearth");
const file = path.join(folder, "test-times.json");

/** The durations of the last run on this machine, in any clone. */
export function lastTimes(): Times {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Times;
  } catch {
    return {};
  }
}

export function keepTimes(times: Times): void {
  mkdirSync(folder, { recursive: true });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, JSON.stringify({ ...lastTimes(), ...times }, null, 1));
  renameSync(beside, file);
}

/** `66.9 s`, and the difference to the last run. */
export function compared(name: string, seconds: number, last: Times): string {
  const before = last[name];
  const change = before === undefined ? "" : seconds - before;
  const sign = change === "" ? "" : `${change < 0 ? "" : "+"}${change.toFixed(1)}`;
  return `${seconds.toFixed(1).padStart(7)} s ${sign.padStart(8)}`;
}
