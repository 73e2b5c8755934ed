import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SITE_MANIFEST } from "../src/documents/site-manifest.ts";
import type { SiteManifest } from "../src/documents/site-manifest.ts";
import { problemsOfPages } from "./static-docs-links.ts";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g;

/** VitePress's files for other servers. The local server answers missing pages with a problem instead. */
const UNUSED = ["404.html", "hashmap.json"];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export const inlineScriptsOf = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(([, text = ""]) => hashOf(text));

/** Writes the site's files and inline script hashes into the manifest; throws if a page cannot be served. */
export function describeSite(folder: string): void {
  for (const unused of UNUSED) rmSync(path.join(folder, unused), { force: true });
  const files = filesBelow(folder);
  const pages = new Map(
    files
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file, readFileSync(path.join(folder, file), "utf8")]),
  );
  const problems = problemsOfPages(pages, new Set(files));
  if (problems.length > 0) throw new Error(`The documentation has faults:\n${problems.join("\n")}`);
  const inlineScripts = [...new Set([...pages.values()].flatMap(inlineScriptsOf))].sort();
  const manifest: SiteManifest = { inlineScripts, files };
  writeFileSync(path.join(folder, SITE_MANIFEST), JSON.stringify(manifest, undefined, 2));
}
