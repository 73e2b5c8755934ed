// `node scripts/ferretdb.mjs`: prints the path of FerretDB, a server with MongoDB's protocol over SQLite, for
// machines without MongoDB. Builds it with Go once and keeps it in the user's cache.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

const MODULE = "github.com/FerretDB/FerretDB";
const VERSION = "v1.24.2";
const GO = { major: 1, minor: 24 };
/** Fetched as a module when the machine's Go is older. */
const TOOLCHAIN = "go1.24.3";

const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "hearth");
const program = path.join(cache, `ferretdb-${VERSION}`);

const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });

function findGo() {
  const places = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/local/go/bin", "/usr/lib/go/bin"];
  const found = places.map((folder) => path.join(folder, "go")).find((file) => existsSync(file));
  if (!found) throw new Error("FerretDB is built with Go, and this machine has none");
  return found;
}

const downloaded = (go, module, cwd) =>
  JSON.parse(
    run(go, ["mod", "download", "-json", module], { cwd, env: { ...process.env, GOFLAGS: "-mod=mod" } }),
  ).Dir;

/** The files of a module are not executable. */
function makeRunnable(folder) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) makeRunnable(file);
    else chmodSync(file, 0o755);
  }
}

function recentGo(work) {
  const go = findGo();
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(run(go, ["env", "GOVERSION"], { cwd: work })) ?? [];
  if (Number(major) > GO.major || Number(minor) >= GO.minor) return go;
  const arch = run(go, ["env", "GOARCH"], { cwd: work }).trim();
  const fetched = downloaded(go, `golang.org/toolchain@v0.0.1-${TOOLCHAIN}.linux-${arch}`, work);
  const own = path.join(work, "go");
  cpSync(fetched, own, { recursive: true });
  run("chmod", ["-R", "u+w", own]);
  for (const folder of ["bin", "pkg/tool"]) makeRunnable(path.join(own, folder));
  return path.join(own, "bin", "go");
}

function build() {
  const work = mkdtempSync(path.join(tmpdir(), "ferretdb-"));
  try {
    writeFileSync(path.join(work, "go.mod"), "module build\n");
    const go = recentGo(work);
    const source = path.join(work, "source");
    cpSync(downloaded(go, `${MODULE}@${VERSION}`, work), source, { recursive: true });
    run("chmod", ["-R", "u+w", source]);
    // FerretDB's build needs this file, which a Go module lacks.
    writeFileSync(path.join(source, "build/version/version.txt"), `${VERSION}\n`);
    const env = {
      ...process.env,
      CGO_ENABLED: "0",
      GOFLAGS: "-mod=mod",
      GOWORK: "off",
      GOTOOLCHAIN: "local",
    };
    run(go, ["build", "-trimpath", "-o", path.join(work, "ferretdb"), "./cmd/ferretdb"], {
      cwd: source,
      env,
    });
    mkdirSync(cache, { recursive: true });
    // Written beside its final path first: a rename within one folder is atomic.
    const beside = `${program}.${process.pid}`;
    cpSync(path.join(work, "ferretdb"), beside);
    chmodSync(beside, 0o755);
    renameSync(beside, program);
  } finally {
    run("chmod", ["-R", "u+w", work]);
    rmSync(work, { recursive: true, force: true });
  }
}

try {
  if (!existsSync(program)) build();
  console.log(program);
} catch (error) {
  console.error(`FerretDB could not be built: ${error.message}`);
  process.exitCode = 1;
}
