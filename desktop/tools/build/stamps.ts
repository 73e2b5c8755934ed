import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The stamp is part of the output (a file of its own in a folder), so that both are replaced together, whoever else
 * builds at the same time.
 */
const line = (sources: string): string => `// made from ${sources}\n`;
const MARK = /\/\/ made from ([0-9a-f]+)\n$/;
const inFolder = (folder: string): string => path.join(folder, ".made-from");

export function stamp(made: string, sources: string): void {
  if (statSync(made).isDirectory()) writeFileSync(inFolder(made), line(sources));
  else appendFileSync(made, `\n${line(sources)}`);
}

/** The sources' fingerprint; `undefined` if the output is missing or incomplete. */
export function stampOf(made: string): string | undefined {
  const stats = statSync(made, { throwIfNoEntry: false });
  if (!stats) return undefined;
  try {
    return MARK.exec(readFileSync(stats.isDirectory() ? inFolder(made) : made, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
