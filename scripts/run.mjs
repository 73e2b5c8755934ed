import { spawn } from "node:child_process";
import { constants } from "node:os";
import { node, root } from "./install.mjs";

const preload = new URL("signals.mjs", import.meta.url).href;

/** Runs a file on Node 24 in the foreground; resolves to the exit code, 128 + n when signal n ended it. */
export function run(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, ["--import", preload, file, ...args], {
      cwd: root,
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    const ask = (signal) => child.connected && child.send(signal, () => undefined);
    process.on("SIGINT", ask).on("SIGTERM", ask);
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : code));
  });
}
