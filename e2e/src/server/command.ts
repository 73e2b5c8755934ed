import { type Child, startChild } from "./child.ts";

/** A command of this repository as a person starts it, by the script behind `npm run`. */
export const runCommand = (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Child => startChild(["scripts/run-file.mjs", file, ...args], env);
