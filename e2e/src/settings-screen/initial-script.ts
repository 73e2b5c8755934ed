import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";

const SCRIPT = /<(?:script|link rel="modulepreload")[^>]* (?:src|href)="\/([^"]+\.js)"/g;

/** The compressed size of all scripts that a browser loads before it shows a built page. */
export async function initialScriptBytes(folder: string): Promise<number> {
  const page = await readFile(path.join(folder, "index.html"), "utf8");
  const names = [...page.matchAll(SCRIPT)].map(([, name = ""]) => name);
  const scripts = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return scripts.reduce((sum, script) => sum + gzipSync(script).length, 0);
}
