import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../../..");

/** The window's page as the build makes it, and the app's side of its bridge in memory. */
export interface BuiltWindow extends AsyncDisposable {
  readonly folder: string;
  /** A script that puts the bridge in place. */
  readonly bridge: string;
  /** What the build said. */
  readonly output: string;
}

const build = async (outDir: string, ...options: readonly string[]): Promise<string> => {
  const args = [
    "build",
    "--config",
    "desktop/vite.config.ts",
    "--outDir",
    outDir,
    "--emptyOutDir",
    ...options,
  ];
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const { stdout } = await promisify(execFile)(process.execPath, [vite, ...args], {
    cwd: root,
    // A test runner names itself in NODE_ENV, with which React would be built for development.
    env: { ...process.env, NODE_ENV: "production" },
    timeout: 120_000,
  });
  return stdout;
};

/** Builds into a folder of its own, so that it may run beside any other build. */
export async function buildWindow(): Promise<BuiltWindow> {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-window-"));
  const page = path.join(folder, "page");
  const testing = path.join(folder, "testing");
  const output = await build(page);
  await build(testing, "--mode", "testing");
  return {
    folder: page,
    bridge: await readFile(path.join(testing, "fake-bridge.js"), "utf8"),
    output,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
