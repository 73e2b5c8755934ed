import { isBuiltin } from "node:module";
import path from "node:path";
import { build } from "vite";
import type { InlineConfig } from "vite";

const root = path.resolve(import.meta.dirname, "../..");
const source = (file: string): string => path.join(root, file);

const shared: InlineConfig = { configFile: false, envDir: false, logLevel: "warn" };

/** Bundles one file for Node, with everything that it needs from `node_modules`. */
function forNode(input: string, fileName: string, format: "es" | "cjs"): InlineConfig {
  return {
    ...shared,
    root,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    ssr: { noExternal: true, external: ["electron"] },
    build: {
      ssr: true,
      target: "node24",
      minify: false,
      rolldownOptions: {
        input: source(input),
        output: { entryFileNames: fileName, format, codeSplitting: false },
      },
    },
  };
}

const into = (config: InlineConfig, outDir: string): InlineConfig => ({
  ...config,
  build: { ...config.build, outDir, emptyOutDir: false },
});

/** Bundles one file, and checks that it is one and needs nothing that a package would lack. */
async function makeFile(
  config: InlineConfig,
  folder: string,
  isThere: (name: string) => boolean,
): Promise<void> {
  const built = await build(into(config, folder));
  const chunks = [built].flat().flatMap((made) => ("output" in made ? made.output : []));
  const wanted = chunks.flatMap((file) =>
    file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
  );
  const strange = wanted.filter((name) => !isThere(name));
  if (chunks.length !== 1) throw new Error(`${chunks.length} files came out where one was wanted`);
  if (strange.length > 0) throw new Error(`The file would need ${strange.join(", ")}`);
}

const isElectron = (name: string): boolean => name === "electron";

export const makeHeadless = (folder: string): Promise<void> =>
  makeFile(forNode("headless/src/main.ts", "headless.mjs", "es"), folder, isBuiltin);

export const makeMain = (folder: string): Promise<void> =>
  makeFile(
    forNode("shell/src/main.ts", "main.mjs", "es"),
    folder,
    (name) => isBuiltin(name) || isElectron(name),
  );

/** A sandboxed preload script is one CommonJS file that may only require `electron`. */
export const makePreload = (folder: string): Promise<void> =>
  makeFile(forNode("shell/src/preload/preload.ts", "preload.cjs", "cjs"), folder, isElectron);

const forPage: InlineConfig = {
  configFile: path.join(import.meta.dirname, "vite.config.ts"),
  logLevel: "warn",
};

export const makeRenderer = async (folder: string): Promise<void> => {
  await build(into(forPage, path.join(folder, "renderer")));
};

export const makeRendererTesting = async (folder: string): Promise<void> => {
  await build(into({ ...forPage, mode: "testing" }, path.join(folder, "renderer-testing")));
};
