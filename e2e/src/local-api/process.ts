import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The documentation site may have to be built first. */
const START_MS = 60_000;

export interface LocalApiOptions {
  /** Behind `--data-dir` and `--port`. */
  readonly args?: readonly string[];
  /** Data of an earlier run; a fresh folder by default. */
  readonly dataDir?: string;
  /** A free one by default. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What to run instead of the program behind `npm run desktop:headless`. */
  readonly program?: string;
}

/** `npm run desktop:headless` as a process of its own. */
export interface RunningLocalApi {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** What it has written so far, both streams. */
  output(): string;
  /** Sends the signal and resolves with the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Removes the data. */
  cleanUp(): Promise<void>;
}

/** A folder for the data of one device. */
export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), "hearth-device-"));

const launch = (options: LocalApiOptions & { readonly dataDir: string }) => {
  const { args = [], env = {}, port = 0, dataDir, program = "desktop/build/headless.ts" } = options;
  const command = [program, "--data-dir", dataDir, "--port", String(port), ...args];
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const exited = once(child, "close").then((ended) => {
    const [code, signal] = ended as [number | null, NodeJS.Signals | null];
    return code ?? signal ?? 1;
  });
  return { child, output: () => output, exited };
};

/** Starts it and resolves when it has told everything that it tells. */
export const startLocalApi = async (options: LocalApiOptions = {}): Promise<RunningLocalApi> => {
  const dataDir = options.dataDir ?? (await newDataDir());
  const { child, output, exited } = launch({ ...options, dataDir });
  const last = options.args?.includes("--sample") ? /On a real device/ : /Ctrl-C stops it/;
  const deadline = Date.now() + START_MS;
  while (!last.test(output())) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill("SIGKILL");
      throw new Error(`the local API did not start:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const [, url = ""] = /Open\s+(http:\S+)\/api\/health/.exec(output()) ?? [];
  return {
    url,
    dataDir,
    process: child,
    output,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return exited;
    },
    cleanUp: () => rm(dataDir, { recursive: true, force: true }),
  };
};

/** Starts what cannot start, and resolves with how it ended and what it said. */
export const startLocalApiInVain = async (
  options: LocalApiOptions,
): Promise<{ readonly code: number | NodeJS.Signals; readonly output: string }> => {
  const dataDir = options.dataDir ?? (await newDataDir());
  const { child, output, exited } = launch({ ...options, dataDir });
  const impatience = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const code = await exited;
  clearTimeout(impatience);
  if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  return { code, output: output() };
};
