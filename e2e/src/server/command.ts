import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A command of this repository as a person starts it, by the script behind `npm run`. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export const runCommand = (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RunningCommand => {
  const child = spawn(process.execPath, ["scripts/run-file.mjs", file, ...args], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then((outcome) => {
    const [code, signal] = outcome as [number | null, NodeJS.Signals | null];
    return code ?? signal;
  });
  return { process: child, stdout: () => stdout, stderr: () => stderr, ended };
};
