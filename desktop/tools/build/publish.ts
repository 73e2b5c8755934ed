import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** Whose target is a folder that another program has put there meanwhile, or is a folder with something in it. */
const inTheWay = new Set(["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR", "EPERM"]);
const codeOf = (error: unknown): string => String((error as { readonly code?: unknown }).code);

/** A file is replaced in one step; a folder steps aside first, since no system exchanges full folders. */
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
 * Lets `make` fill a folder of its own and then puts everything in it into `into`. Two programs may do so at once: each
 * result is whole, and the last one stays.
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
