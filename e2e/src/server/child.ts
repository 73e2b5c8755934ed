import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { until } from "@hearth/runtime/testing/until";
import type { Ended } from "@hearth/runtime/testing/servers";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Spares a child a third of the time that it takes to start. */
const COMPILED = join(ROOT, "node_modules/.cache/hearth-compiled-children");

/** A program of this repository as a process of its own. */
export interface Child {
  readonly process: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Both streams. */
  output(): string;
  /** Resolves when it is gone and all that it wrote has arrived. */
  readonly ended: Promise<Ended>;
  /** Sends the signal and resolves with the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** A child that can be used, and its data. */
export interface RunningProgram extends Pick<Child, "process" | "output" | "stop"> {
  readonly dataDir: string;
  /** Removes the data. */
  cleanUp(): Promise<void>;
}

/** How a child ended and what it had said by then. */
export interface Outcome {
  readonly code: Ended;
  readonly output: string;
}

const collected = (...streams: readonly Readable[]): (() => string) => {
  let text = "";
  for (const stream of streams) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
};

/** Runs a file with Node, in an environment without what would change the product under test. */
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

/** Resolves with what is found in the child's output; a child that ends or takes longer is ended, and this rejects. */
export const told = async <Found>(
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

/** How a child ends that cannot start; one that goes on is ended. */
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
