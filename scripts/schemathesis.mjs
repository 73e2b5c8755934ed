// `node scripts/schemathesis.mjs`: prints the path of Schemathesis, which generates requests from an OpenAPI
// document. Installs it from PyPI once, into a Python virtual environment in the user's cache.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const VERSION = "4.32.5";
const MINUTES = 5;

const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "hearth");
const folder = path.join(cache, `schemathesis-${VERSION}`);
const program = path.join(folder, "bin", "schemathesis");

const run = (command, ...args) =>
  execFileSync(command, args, { stdio: ["ignore", "ignore", "inherit"], timeout: MINUTES * 60_000 });

function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  try {
    // Its scripts contain the folder's path, so it cannot be built elsewhere and moved.
    run("python3", "-m", "venv", folder);
    run(path.join(folder, "bin", "python"), "-m", "pip", "install", "--quiet", `schemathesis==${VERSION}`);
    run(program, "--version");
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

try {
  if (!existsSync(program)) install();
  process.stdout.write(`${program}\n`);
} catch (error) {
  console.error(`Schemathesis could not be installed: ${error.message}`);
  process.exitCode = 1;
}
