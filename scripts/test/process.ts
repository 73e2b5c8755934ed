import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";

const bin = path.resolve("node_modules/.bin");
const running = new Set<ChildProcess>();
const inGroups = process.platform !== "win32";

/** Includes child processes: Jest's workers and their servers outlive Jest. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (inGroups && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // All of them have ended.
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of running) end(child, signal);
    process.exit(128 + constants.signals[signal]);
  });
}

export interface ToolOptions {
  readonly minutes: number;
  /** The file for its output. */
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard output goes to the terminal, standard error to the log. */
  readonly speaks?: boolean;
}

/** Runs a tool from node_modules on Node 24; resolves to whether it succeeded. */
export function runTool(tool: string, args: readonly string[], options: ToolOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const PATH = `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`;
    const env = { ...process.env, ...options.env, PATH };
    const log = openSync(options.log, "a");
    const child = spawn(path.join(bin, tool), args, {
      env,
      stdio: ["ignore", options.speaks === true ? "inherit" : log, log],
      detached: inGroups,
    });
    closeSync(log);
    running.add(child);
    const late = setTimeout(() => end(child, "SIGTERM"), options.minutes * 60_000);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(late);
      running.delete(child);
      end(child, "SIGTERM");
      resolve(code === 0);
    });
  });
}
