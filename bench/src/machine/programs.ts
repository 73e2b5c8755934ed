import { accessSync, constants } from "node:fs";
import path from "node:path";

/** Debian's folder for servers, which PATH may lack. */
const SERVERS = ["/usr/sbin", "/usr/local/sbin"];

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a program on this machine; throws if it is missing. */
export function programNamed(name: string, searched = process.env["PATH"] ?? ""): string {
  const folders = [...searched.split(path.delimiter).filter((folder) => folder !== ""), ...SERVERS];
  const found = folders.map((folder) => path.join(folder, name)).find(isProgram);
  if (found === undefined) throw new Error(`This needs ${name}, and the machine has none on its PATH`);
  return found;
}
