import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Child,
  type Outcome,
  outcomeOf,
  programOf,
  removeFolder,
  type RunningProgram,
  startChild,
  outputMatch,
} from "../server/child.ts";

/** The documentation site may have to be built first. */
const START_MS = 60_000;

export interface LocalApiOptions {
  /** Arguments after `--data-dir` and `--port`. */
  readonly args?: readonly string[];
  /** Data of an earlier run; a fresh folder by default. */
  readonly dataDir?: string;
  /** By default a free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The file to run instead of `npm run desktop:headless`. */
  readonly program?: string;
}

/** `npm run desktop:headless` as a separate process. */
export interface RunningLocalApi extends RunningProgram {
  readonly url: string;
}

/** A folder for the data of one device. */
export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), "hearth-device-"));

const launch = (options: LocalApiOptions & { readonly dataDir: string }): Child => {
  const { args = [], env = {}, port = 0, dataDir, program = "desktop/tools/build/headless.ts" } = options;
  return startChild([program, "--data-dir", dataDir, "--port", String(port), ...args], env);
};

/** Starts it and resolves when it has printed all its startup lines. */
export const startLocalApi = async (options: LocalApiOptions = {}): Promise<RunningLocalApi> => {
  const dataDir = options.dataDir ?? (await newDataDir());
  const child = launch({ ...options, dataDir });
  const last = options.args?.includes("--sample") ? /On a real device/ : /Press Ctrl-C to stop it/;
  const output = await outputMatch(child, (text) => (last.test(text) ? text : undefined), START_MS);
  const [, url = ""] = /Open\s+(http:\S+)\/api\/health/.exec(output) ?? [];
  return { url, ...programOf(child, dataDir) };
};

/** Starts a program that must fail to start; resolves with its exit code and output. */
export const startFailingLocalApi = async (options: LocalApiOptions): Promise<Outcome> => {
  const dataDir = options.dataDir ?? (await newDataDir());
  const outcome = await outcomeOf(launch({ ...options, dataDir }), START_MS);
  if (options.dataDir === undefined) await removeFolder(dataDir);
  return outcome;
};
