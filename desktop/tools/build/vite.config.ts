import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin, Rolldown, UserConfig } from "vite";

/** The limit for compressed scripts before the client's first screen. */
const MAX_INITIAL_SCRIPT = 250_000;

function initialChunks(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const wanted = Object.values(bundle).flatMap((file) =>
    file.type === "chunk" && file.isEntry ? [file.fileName] : [],
  );
  const seen = new Map<string, Rolldown.OutputChunk>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const file = bundle[name];
    if (file?.type !== "chunk" || seen.has(name)) continue;
    seen.set(name, file);
    wanted.push(...file.imports);
  }
  return [...seen.values()];
}

const sizeBudget = (limit: number): Plugin => ({
  name: "hearth-size-budget",
  enforce: "post",
  generateBundle(_options, bundle) {
    const bytes = initialChunks(bundle).reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    const sentence = `The initial script is ${bytes} bytes compressed; ${limit} are allowed.`;
    if (bytes > limit) this.error(sentence);
    this.info(sentence);
  },
});

const COMPRESSIBLE = /\.(js|css|json|svg)$/;

/** Writes `.br` and `.gz` files where they are smaller, so that nobody compresses per request. */
const precompressed = (): Plugin => ({
  name: "hearth-precompressed",
  enforce: "post",
  // Vite finishes the code of chunks in this hook.
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!COMPRESSIBLE.test(name)) continue;
        const content = Buffer.from(file.type === "chunk" ? file.code : file.source);
        if (content.length < 1_024) continue;
        this.emitFile({ type: "asset", fileName: `${name}.br`, source: brotliCompressSync(content) });
        this.emitFile({ type: "asset", fileName: `${name}.gz`, source: gzipSync(content) });
      }
    },
  },
});

const page: UserConfig = {
  plugins: [react(), sizeBudget(MAX_INITIAL_SCRIPT), precompressed()],
  build: {
    outDir: "../../dist/renderer",
    emptyOutDir: true,
    target: "chrome130",
    // The content security policy allows files, but no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
};

/** The in-memory bridge as one script, for browser tests of the built page (`--mode testing`). */
const testing: UserConfig = {
  build: {
    outDir: "../../dist/renderer-testing",
    emptyOutDir: true,
    lib: {
      entry: "testing/install.ts",
      formats: ["iife"],
      name: "hearthTesting",
      fileName: () => "fake-bridge.js",
    },
  },
};

export default defineConfig(({ mode }) => ({
  root: path.resolve(import.meta.dirname, "../../renderer/src"),
  // Every screen of the client has its own path, so assets have absolute paths.
  base: "/",
  publicDir: false,
  ...(mode === "testing" ? testing : page),
}));
