import { type Child, startChild } from "./child.ts";

/** Runs a command of this repository like `npm run`. */
export const runCommand = (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Child => startChild(["scripts/run-file.mjs", file, ...args], env);
