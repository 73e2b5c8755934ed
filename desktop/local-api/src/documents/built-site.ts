import { lstat, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { createStaticFiles } from "@hearth/runtime";
import type { PageHeaders, Pages } from "@hearth/runtime";
import { siteHeaders } from "./document-headers.ts";
import { SITE_MANIFEST, siteManifestSchema } from "./site-manifest.ts";

/** The built documentation site. */
export interface BuiltSite {
  /** The file for a path, or a redirect to its page. */
  find(path: string): { readonly file: string } | { readonly movedTo: string } | undefined;
  readonly headers: PageHeaders;
  readonly send: Pages;
}

/** A symbolic link could lead out of the folder, whatever the manifest says (L21). */
async function isOrdinary(root: string, file: string): Promise<boolean> {
  try {
    const target = path.join(root, file);
    return (await lstat(target)).isFile() && (await realpath(target)) === target;
  } catch {
    return false;
  }
}

async function servedFiles(folder: string, listed: readonly string[]): Promise<ReadonlySet<string>> {
  const root = await realpath(folder);
  const ordinary = await Promise.all(listed.map((file) => isOrdinary(root, file)));
  return new Set(listed.filter((_file, index) => ordinary[index]).map((file) => `/${file}`));
}

/** Vite's file names below `assets` contain a hash of the content. */
const cacheRule = (file: string): string | undefined =>
  file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : undefined;

async function load(folder: string): Promise<BuiltSite> {
  const manifest = siteManifestSchema.parse(
    JSON.parse(await readFile(path.join(folder, SITE_MANIFEST), "utf8")),
  );
  const files = await servedFiles(folder, manifest.files);
  const fileOf = (wanted: string): string | undefined =>
    [wanted, `${wanted}.html`, `${wanted}index.html`].find((file) => files.has(file));
  return {
    headers: siteHeaders(manifest.inlineScripts),
    send: createStaticFiles(folder, cacheRule),
    find: (wanted) => {
      const file = fileOf(wanted);
      if (file !== undefined) return { file };
      const without = wanted.replace(/\/$/, "");
      return fileOf(without) === undefined ? undefined : { movedTo: `/static-docs${without}` };
    },
  };
}

/** Reads the site on first use, and again after a new build; `undefined` if there is none. */
export function builtSiteIn(folder: string): () => Promise<BuiltSite | undefined> {
  let known: { readonly builtAt: number; readonly site: Promise<BuiltSite> } | undefined;
  return async () => {
    const manifest = await stat(path.join(folder, SITE_MANIFEST)).catch(() => undefined);
    if (manifest === undefined) return undefined;
    if (known?.builtAt !== manifest.mtimeMs) known = { builtAt: manifest.mtimeMs, site: load(folder) };
    return known.site;
  };
}
