import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** True if another program has created the target folder meanwhile. */
const inTheWay = new Set(["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR", "EPERM"]);
const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code);

/** A file is replaced in one step; a folder is moved aside first, because no system can exchange full folders. */
function replace(from: string, to: string, aside: string): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (attempt === 100 || !inTheWay.has(codeOf(error))) throw error;
    }
    try {
      renameSync(to, path.join(aside, `${path.basename(to)}.${attempt}`));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
}

/**
 * Lets `make` fill a temporary folder, then moves its content into `into`. Concurrent calls are safe: each result is
 * complete, and the last one stays.
 */
export async function publish(into: string, make: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync(into, { recursive: true });
  const workshop = mkdtempSync(path.join(into, ".making-"));
  const made = path.join(workshop, "made");
  const aside = path.join(workshop, "aside");
  mkdirSync(made);
  mkdirSync(aside);
  try {
    await make(made);
    for (const name of readdirSync(made)) replace(path.join(made, name), path.join(into, name), aside);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}
