import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/**
 * The path of Electron: from `ELECTRON_PATH`, else from npm's package without loading it, which would download it.
 */
export function findElectron(): string | undefined {
  const named = process.env["ELECTRON_PATH"];
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined;
  const folder = path.dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  const note = path.join(folder, "path.txt");
  if (!existsSync(note)) return undefined;
  const program = path.join(folder, "dist", readFileSync(note, "utf8").trim());
  return existsSync(program) ? program : undefined;
}
