import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const ignored = /\.(test|contract)\.tsx?$|^\./;

function filesBelow(entry: string): string[] {
  const stats = statSync(entry, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [entry];
  return readdirSync(entry)
    .filter((name) => name !== "node_modules" && !ignored.test(name))
    .flatMap((name) => filesBelow(path.join(entry, name)));
}

/** A hash of the names and contents of these files and folders, without tests. */
export function fingerprint(root: string, entries: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of entries.flatMap((entry) => filesBelow(path.join(root, entry))).sort()) {
    const content = readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
