import { readFileSync } from "node:fs";

/**
 * AB13: the 10,000 most common passwords of at least eight characters, in lower case. From the frequency list of
 * zxcvbn 4.4.2 (Dropbox, MIT licence, which stands beside the list).
 */
const FILE = new URL("./common-passwords.txt", import.meta.url);

export const readCommonPasswords = (): ReadonlySet<string> =>
  new Set(readFileSync(FILE, "utf8").trimEnd().split("\n"));
