import { accessSync, constants } from "node:fs";
import path from "node:path";

/** The program of that name on PATH, or where Debian puts servers; `undefined` when the machine has none. */
export function findProgram(name: string, searched: string): string | undefined {
  const folders = [...searched.split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  for (const folder of folders) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not there; the next folder may have it.
    }
  }
  return undefined;
}
