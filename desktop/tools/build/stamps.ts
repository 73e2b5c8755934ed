import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * What something was made from is written into the thing itself, a folder's into a file of its own: so it arrives and
 * is replaced together with it, whoever else builds at the same time.
 */
const line = (sources: string): string => `// made from ${sources}\n`;
const MARK = /\/\/ made from ([0-9a-f]+)\n$/;
const inFolder = (folder: string): string => path.join(folder, ".made-from");

export function stamp(made: string, sources: string): void {
  if (statSync(made).isDirectory()) writeFileSync(inFolder(made), line(sources));
  else appendFileSync(made, `\n${line(sources)}`);
}

/** The sources' fingerprint, or `undefined` where there is nothing, or nothing that is whole. */
export function stampOf(made: string): string | undefined {
  const stats = statSync(made, { throwIfNoEntry: false });
  if (!stats) return undefined;
  try {
    return MARK.exec(readFileSync(stats.isDirectory() ? inFolder(made) : made, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
