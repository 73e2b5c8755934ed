import { accessSync, constants } from "node:fs";
import path from "node:path";

/** The path of a program on PATH or in the folder where Debian puts servers; `undefined` if there is none. */
export function findProgram(name: string, searched: string): string | undefined {
  const folders = [...searched.split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  for (const folder of folders) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
