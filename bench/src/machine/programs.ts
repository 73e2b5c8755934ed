import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Where Debian puts servers, whether or not PATH names it. */
const SERVERS = ["/usr/sbin", "/usr/local/sbin"];

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The program of this name on the machine; throws where there is none. */
export function programNamed(name: string, searched = process.env["PATH"] ?? ""): string {
  const folders = [...searched.split(path.delimiter).filter((folder) => folder !== ""), ...SERVERS];
  const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
  if (found === undefined) throw new Error(`This needs ${name}, and the machine has none on its PATH`);
  return found;
}
