import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startClusterServer } from "./cluster-server.ts";
import { asCluster } from "./mode.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const START_MS = 20_000;

/** All clients of a test share one address, so the limits per address are for those tests that are about them. */
const UNLIMITED = {
  MAX_SOCKETS_PER_ADDRESS: "0",
  MAX_UPGRADES_PER_MINUTE: "0",
};

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Data of an earlier run; a fresh folder by default. */
  readonly dataDir?: string;
  /** What to run instead of `all-in-one.ts`, from the top of the repository. */
  readonly entry?: string;
}

/** The product as a process of its own, on a free port. */
export interface RunningServer {
  readonly url: string;
  readonly metricsUrl: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** What it has written so far, both streams. */
  output(): string;
  /** Sends the signal and resolves with the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Removes the data. */
  cleanUp(): Promise<void>;
}

interface Launched {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly output: () => string;
  readonly exited: Promise<number | NodeJS.Signals>;
}

const launch = async ({ env = {}, dataDir, entry = "all-in-one.ts" }: ServerOptions): Promise<Launched> => {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "hearth-e2e-")));
  const child = spawn(process.execPath, [entry], {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      PORT: "0",
      METRICS_PORT: "0",
      DATA_DIR: folder,
      BCRYPT_COST: "10",
      ...UNLIMITED,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  // Closed, not merely exited: by then all that it wrote has arrived.
  const exited = once(child, "close").then((ended) => {
    const [code, signal] = ended as [number | null, NodeJS.Signals | null];
    return code ?? signal ?? 1;
  });
  return { child, folder, output: () => output, exited };
};

/** Starts the product, and resolves when it can be used. */
export const startServer = async (options: ServerOptions = {}): Promise<RunningServer> =>
  asCluster ? startClusterServer(options) : startEmbedded(options);

/** Starts `all-in-one.ts` and resolves when it has printed its address. */
const startEmbedded = async (options: ServerOptions): Promise<RunningServer> => {
  const { child, folder, output, exited } = await launch(options);
  const addresses = await waitForAddresses(child, output);
  return {
    ...addresses,
    dataDir: folder,
    process: child,
    output,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return exited;
    },
    cleanUp: () => rm(folder, { recursive: true, force: true }),
  };
};

/** Starts what cannot start, and resolves with how it ended and what it said. */
export const startInVain = async (
  options: ServerOptions,
): Promise<{ readonly code: number | NodeJS.Signals; readonly output: string }> => {
  const { child, folder, output, exited } = await launch(options);
  const impatience = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const code = await exited;
  clearTimeout(impatience);
  if (options.dataDir === undefined) await rm(folder, { recursive: true, force: true });
  return { code, output: output() };
};

/** The environment without what would change the product under test. */
const cleanEnvironment = (): Record<string, string | undefined> => ({ PATH: process.env["PATH"] });

const waitForAddresses = async (
  child: ChildProcess,
  output: () => string,
): Promise<{ url: string; metricsUrl: string }> => {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const url = /Open\s+(http:\S+)/.exec(output())?.[1];
    const metricsUrl = /Metrics\s+(http:\S+)/.exec(output())?.[1];
    if (url !== undefined && metricsUrl !== undefined) return { url, metricsUrl };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  throw new Error(`the server did not start:\n${output()}`);
};
