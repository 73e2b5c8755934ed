import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import type { HearthBridge } from "@hearth/bridge";

// The bundler detects regular expressions by their realm, and tests run in another one: so it gets its own process.
const BUNDLES = new URL("../../../tools/build/bundles.ts", import.meta.url).href;
const BUILD = `const { makePreload } = await import("${BUNDLES}"); await makePreload(process.argv[1]);`;

/** The built preload script. */
export async function preloadScript(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-preload-"));
  try {
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", BUILD, folder]);
    return await readFile(path.join(folder, "preload.cjs"), "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface PreloadWorld {
  /** The page's `window.hearth`. */
  readonly hearth: HearthBridge;
  /** Modules that the script required. */
  readonly required: readonly string[];
  readonly exposed: readonly string[];
  /** Sends an event from the main process. */
  send(channel: string, payload?: unknown): void;
  readonly listening: () => number;
}

type Handler = (event: unknown, payload: unknown) => void;

/** Runs the script in a context with only what a sandboxed preload has. */
export function runPreload(
  script: string,
  invoke: (channel: string, input: unknown) => Promise<unknown>,
  argv: readonly string[] = ["--hearth-version=0.0.0-test"],
): PreloadWorld {
  const required: string[] = [];
  const exposed = new Map<string, HearthBridge>();
  const handlers = new Map<string, Set<Handler>>();
  const of = (channel: string): Set<Handler> => handlers.get(channel) ?? new Set();
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: HearthBridge) => void exposed.set(name, api),
    },
    ipcRenderer: {
      invoke: async (channel: string, input: unknown) => invoke(channel, structuredClone(input)),
      on: (channel: string, handler: Handler) => void handlers.set(channel, of(channel).add(handler)),
      off: (channel: string, handler: Handler) => void of(channel).delete(handler),
    },
  };
  const require = (name: string): unknown => {
    required.push(name);
    if (name !== "electron") throw new Error(`a sandboxed preload cannot require ${name}`);
    return electron;
  };
  runInNewContext(script, { require, module: { exports: {} }, exports: {}, process: { argv } });
  const hearth = exposed.get("hearth");
  if (!hearth) throw new Error("the preload exposed nothing");
  return {
    hearth,
    required,
    exposed: [...exposed.keys()],
    send(channel, payload) {
      for (const handler of of(channel))
        handler({ sender: "leads to ipcRenderer" }, structuredClone(payload));
    },
    listening: () => [...handlers.values()].reduce((sum, set) => sum + set.size, 0),
  };
}
