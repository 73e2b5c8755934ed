import path from "node:path";
import { fingerprint } from "./sources.ts";
import { publish } from "./publish.ts";
import { stamp, stampOf } from "./stamps.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** The output folder; git ignores it. */
export const dist = path.join(root, "desktop", "dist");

interface Part {
  /** Printed after "Building". */
  readonly title: string;
  /** The files and folders, relative to the repository, that the part is built from. */
  readonly sources: readonly string[];
  /** The name of the file or folder in `dist`. */
  readonly output: string;
  readonly make: (folder: string) => Promise<void>;
}

const code: readonly string[] = [
  "package-lock.json",
  "desktop/device",
  "desktop/store",
  "desktop/bridge",
  "desktop/client",
  "desktop/renderer",
  "desktop/local-api",
  "desktop/shell",
  "desktop/headless",
  "desktop/tools",
  "contracts/src",
  "runtime/src",
];

/** Loads Vite only if there is something to build. */
const bundles = () => import("./bundles.ts");

export const parts = {
  headless: {
    title: "the local API without a window",
    sources: code,
    output: "headless.mjs",
    make: async (folder) => (await bundles()).makeHeadless(folder),
  },
  main: {
    title: "the app's main process",
    sources: code,
    output: "main.mjs",
    make: async (folder) => (await bundles()).makeMain(folder),
  },
  preload: {
    title: "the window's bridge",
    sources: code,
    output: "preload.cjs",
    make: async (folder) => (await bundles()).makePreload(folder),
  },
  renderer: {
    title: "the window's page",
    sources: code,
    output: "renderer",
    make: async (folder) => (await bundles()).makeRenderer(folder),
  },
  "renderer-testing": {
    title: "the bridge in memory for browser tests",
    sources: code,
    output: "renderer-testing",
    make: async (folder) => (await bundles()).makeRendererTesting(folder),
  },
  reference: {
    title: "the API reference",
    sources: ["package-lock.json", "desktop/local-api/build", "runtime/src"],
    output: "reference",
    make: async (folder) => (await import("@hearth/local-api/build/reference")).makeReference(folder),
  },
  "static-docs": {
    title: "the documentation",
    sources: [
      "package-lock.json",
      "desktop/local-api/build",
      "desktop/local-api/docs",
      "desktop/local-api/src/documents",
    ],
    output: "static-docs",
    make: async (folder) => (await import("@hearth/local-api/build/static-docs")).makeStaticDocs(folder),
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

export const partNames = Object.keys(parts) as readonly PartName[];

/** Builds the parts that are missing or outdated; resolves to their names. */
export async function ensureBuilt(
  names: readonly PartName[],
  announce: (line: string) => void,
): Promise<readonly PartName[]> {
  const built: PartName[] = [];
  for (const name of names) {
    const { title, sources, output, make }: Part = parts[name];
    const current = fingerprint(root, sources);
    if (stampOf(path.join(dist, output)) === current) continue;
    announce(`Building ${title} ...`);
    await publish(dist, async (folder) => {
      await make(folder);
      stamp(path.join(folder, output), current);
    });
    built.push(name);
  }
  return built;
}
