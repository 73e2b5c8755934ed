import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";

const bin = path.resolve("node_modules/.bin");
let current: ChildProcess | undefined;

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    current?.kill(signal);
    process.exit(128 + constants.signals[signal]);
  });
}

/** Runs a tool of node_modules on Node 24 with its output passed through; resolves to whether it succeeded. */
export function runTool(
  tool: string,
  args: readonly string[],
  minutes: number,
  own: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...own, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
    const stdio = ["ignore", "inherit", "inherit"] as const;
    current = spawn(path.join(bin, tool), args, { env, stdio: [...stdio], timeout: minutes * 60_000 });
    current.on("error", reject);
    current.on("exit", (code) => {
      current = undefined;
      resolve(code === 0);
    });
  });
}
