// npm writes only the optional packages that the current registry offers into the lock file, and `npm ci` then
// refuses the file everywhere. Run this after a dependency has changed.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
const platform =
  /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)\b/;

function entry(name, version, parent) {
  const [, os, cpu] = platform.exec(name) ?? [];
  if (!os || !/^\d/.test(version))
    throw new Error(`${name}@${version} names no platform or no exact version`);
  const libc = /-musl/.test(name) ? { libc: ["musl"] } : /-gnu/.test(name) ? { libc: ["glibc"] } : {};
  return { version, cpu: [cpu], ...(parent.dev && { dev: true }), ...libc, optional: true, os: [os] };
}

let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const known = Object.keys(lock.packages).some((key) => key.endsWith(`node_modules/${name}`));
    if (known) continue;
    lock.packages[`node_modules/${name}`] = entry(name, version, parent);
    added += 1;
  }
}

const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} packages of other platforms added`);
