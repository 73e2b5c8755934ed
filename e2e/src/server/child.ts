import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/runtime/testing/until";
import type { Ended } from "@hearth/runtime/testing/servers";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Saves a third of a child's start time. */
const COMPILED = join(ROOT, "node_modules/.cache/hearth-compiled-children");

/** A program of this repository as a separate process. */
export interface Child {
  readonly process: ChildProcess;
  /** Its output so far, both streams. */
  stdout(): string;
  stderr(): string;
  /** Both streams. */
  output(): string;
  /** Resolves when it has ended and all its output has arrived. */
  readonly ended: Promise<Ended>;
  /** Sends the signal; resolves with the exit code or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** A child that is ready, and its data. */
export interface RunningProgram extends Pick<Child, "process" | "output" | "stop"> {
  readonly dataDir: string;
  /** Removes the data. */
  cleanUp(): Promise<void>;
}

/** A child's exit code and its output. */
export interface Outcome {
  readonly code: Ended;
  readonly output: string;
}

const collected = (...streams: readonly Readable[]): (() => string) => {
  let text = "";
  for (const stream of streams) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
};

/** Runs a file with Node, without environment variables that would change the product under test. */
export const startChild = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Child => {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then((outcome) => {
    const [code, signal] = outcome as [number | null, NodeJS.Signals | null];
    return code ?? signal ?? 1;
  });
  return {
    process: child,
    stdout: collected(child.stdout),
    stderr: collected(child.stderr),
    output: collected(child.stdout, child.stderr),
    ended,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
};

/** Resolves with the text found in the child's output. Rejects and ends the child when it exits or takes too long. */
export const outputMatch = async <Found>(
  child: Child,
  find: (output: string) => Found | undefined,
  limitMs: number,
): Promise<Found> => {
  let found: Found | undefined;
  const isOver = (): boolean => {
    found = find(child.output());
    return found !== undefined || child.process.exitCode !== null;
  };
  await until(isOver, limitMs).catch(() => undefined);
  if (found !== undefined) return found;
  child.process.kill("SIGKILL");
  const program = child.process.spawnargs.slice(1).join(" ");
  throw new Error(`${program} did not write the expected text:\n${child.output()}`);
};

/** The outcome of a child that must fail to start; ends it after the limit. */
export const outcomeOf = async (child: Child, limitMs: number): Promise<Outcome> => {
  const impatience = setTimeout(() => void child.stop("SIGKILL"), limitMs);
  const code = await child.ended;
  clearTimeout(impatience);
  return { code, output: child.output() };
};

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export const programOf = (child: Child, dataDir: string): RunningProgram => ({
  process: child.process,
  output: () => child.output(),
  stop: (signal) => child.stop(signal),
  dataDir,
  cleanUp: () => removeFolder(dataDir),
});
