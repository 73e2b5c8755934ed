import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { dist, ensureBuilt } from "../build/parts.ts";
import { stage } from "./stage.ts";

const here = import.meta.dirname;

/** The app's entry in the shell's manifest. */
interface ShellManifest {
  readonly version: string;
  readonly devDependencies: { readonly electron: string };
}

const shell = JSON.parse(readFileSync(path.join(here, "../../shell/package.json"), "utf8")) as ShellManifest;

function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(command)} ended with ${signal ?? String(code)}`));
    });
  });
}

/**
 * `npm run desktop:package`: builds what is missing, downloads electron-builder once, and creates the packages for
 * this system. Options such as `--dir` or `--mac` are passed on to electron-builder, which downloads Electron.
 */
try {
  await ensureBuilt(["main", "preload", "renderer", "reference", "static-docs"], (line) => {
    process.stdout.write(`${line}\n`);
  });
  await stage(dist, path.join(here, "dist/app"), shell.version);
  const builder = path.join(here, "node_modules/electron-builder/cli.js");
  if (!existsSync(builder)) await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  await run(process.execPath, [
    builder,
    "--config=electron-builder.config.mjs",
    `--config.electronVersion=${shell.devDependencies.electron}`,
    "--publish=never",
    ...process.argv.slice(2),
  ]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
