import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { serveFolder } from "../browser/static-site.ts";
import type { StaticSite } from "../browser/static-site.ts";

const root = path.resolve(import.meta.dirname, "../../..");

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Store</title>
<link rel="icon" href="data:,">
<script src="store.js"></script>
`;

async function build(outDir: string): Promise<void> {
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const config = "desktop/client/src/store/testing/vite.config.ts";
  await promisify(execFile)(
    process.execPath,
    [vite, "build", "--config", config, "--outDir", outDir, "--emptyOutDir"],
    { cwd: root, env: { ...process.env, NODE_ENV: "production" }, timeout: 120_000 },
  );
}

/** A page with only the browser's store, built like the product's pages and under their policy. */
export async function serveStore(): Promise<StaticSite> {
  const folder = await mkdtemp(path.join(tmpdir(), "hearth-store-"));
  await build(folder);
  await writeFile(path.join(folder, "index.html"), PAGE);
  const site = await serveFolder(folder);
  return {
    url: site.url,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
