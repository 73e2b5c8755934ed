import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const modules = path.join(root, "node_modules");

/** Node 24 from the dev dependency `node`, whatever version runs this file. */
export const node = path.join(modules, "node", "bin", windows ? "node.exe" : "node");

const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Compares the lock file with npm's record of the installed packages. */
function isInstalled() {
  const record = path.join(modules, ".package-lock.json");
  if (!existsSync(record) || !existsSync(node)) return false;
  const { "": _root, ...wanted } = packagesOf(path.join(root, "package-lock.json"));
  const present = packagesOf(record);
  const same = (name) =>
    wanted[name]?.version === present[name]?.version && wanted[name]?.integrity === present[name]?.integrity;
  const absentElsewhere = (name) => wanted[name].optional && !present[name];
  return (
    Object.keys(wanted).every((name) => same(name) || absentElsewhere(name)) &&
    Object.keys(present).every((name) => same(name))
  );
}

/** npm must not run on the Node in the node_modules that it deletes. */
function environment() {
  const PATH = (process.env.PATH ?? "").split(path.delimiter).filter((entry) => !entry.endsWith(".bin"));
  return { ...process.env, PATH: PATH.join(path.delimiter) };
}

function npmCi() {
  return new Promise((resolve, reject) => {
    const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    const npm = spawn("npm", args, { cwd: root, env: environment(), stdio: "inherit", shell: windows });
    let interrupted;
    const forward = (signal) => npm.kill((interrupted = signal));
    process.on("SIGINT", forward).on("SIGTERM", forward);
    npm.on("error", (error) =>
      reject(new Error(`npm could not be started (${error.message}); is it installed?`)),
    );
    npm.on("exit", (code, signal) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      const ended = interrupted ?? signal;
      if (ended) process.exit(128 + constants.signals[ended]);
      if (code === 0 && isInstalled()) resolve();
      else if (code === 0) reject(new Error("npm ci ended well but left node_modules incomplete"));
      else reject(new Error(`npm ci failed with exit code ${code}; npm's own message is above`));
    });
  });
}

/** Installs what package-lock.json says; takes a few milliseconds when nothing changed. */
export async function install() {
  if (isInstalled()) return;
  console.log("Installing the packages of package-lock.json (once, and again when it changes) ...");
  await npmCi();
}
