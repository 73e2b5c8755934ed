import { execFile } from "node:child_process";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";

const root = path.resolve(import.meta.dirname, "../../..");
const lock = path.join(root, "node_modules/.cache/hearth-building-client");
const BUILD_MS = 120_000;

/** The built client: the page of the window and of the browser, and its scripts. */
export interface BuiltWindow {
  /** The folder of the page. */
  readonly folder: string;
  /** A script with an in-memory app side of the bridge. */
  readonly bridge: string;
  /** The window's preload script. */
  readonly preload: string;
}

/**
 * Creates the lock's folder, which only one process can do; a lock older than any build belongs to a dead process.
 */
async function takeLock(): Promise<void> {
  await mkdir(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      await mkdir(lock);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const since = await stat(lock).then(({ mtimeMs }) => mtimeMs, Date.now);
    if (Date.now() - since > 2 * BUILD_MS) await rm(lock, { recursive: true, force: true });
    await pause(100);
  }
}

/** Runs the product's build, which updates only missing or outdated parts. */
async function buildParts(): Promise<string> {
  await takeLock();
  try {
    const parts = ["renderer", "renderer-testing", "preload"];
    await promisify(execFile)(process.execPath, ["desktop/tools/build/main.ts", ...parts], {
      cwd: root,
      // Jest sets NODE_ENV to `test`, with which React would be built for development.
      env: { ...process.env, NODE_ENV: "production" },
      timeout: BUILD_MS,
    });
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
  return path.join(root, "desktop/dist");
}

/**
 * The built client, from the folder `HEARTH_BUILT_CLIENT` (`desktop/dist` with `renderer`, `renderer-testing` and
 * `preload.cjs`), which the test runner builds once for all suites. Without the variable it is built here if its
 * sources have changed; concurrent processes wait for each other.
 */
export async function buildWindow(): Promise<BuiltWindow> {
  const named = process.env["HEARTH_BUILT_CLIENT"] ?? "";
  const dist = named === "" ? await buildParts() : path.resolve(root, named);
  return {
    folder: path.join(dist, "renderer"),
    bridge: await readFile(path.join(dist, "renderer-testing/fake-bridge.js"), "utf8"),
    preload: await readFile(path.join(dist, "preload.cjs"), "utf8"),
  };
}
