import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SITE_MANIFEST } from "../src/documents/site-manifest.ts";
import type { SiteManifest } from "../src/documents/site-manifest.ts";
import { problemsOfPages } from "./static-docs-links.ts";

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g;

/** What VitePress makes for other servers: what is not there is answered as a problem, not as a page. */
const UNUSED = ["404.html", "hashmap.json"];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

export const inlineScriptsOf = (html: string): string[] =>
  [...html.matchAll(INLINE_SCRIPT)].map(([, text = ""]) => hashOf(text));

/** Writes down which files the site has and which inline scripts; throws where a page is not fit to be served. */
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
