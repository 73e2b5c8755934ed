import { ensureBuilt, partNames } from "./parts.ts";

/**
 * `npm run desktop:build [-- PART…]`: builds all parts of `dist`, or these, that are missing or outdated; fails if
 * generated files are outdated.
 */
const wanted = process.argv.slice(2);
const chosen = partNames.filter((name) => wanted.length === 0 || wanted.includes(name));
const unknown = wanted.filter((name) => !partNames.some((known) => known === name));
if (unknown.length > 0)
  throw new RangeError(`There is no part ${unknown.join(", ")}; ${partNames.join(", ")} are`);
const built = await ensureBuilt(chosen, (line) => process.stdout.write(`${line}\n`));
if (built.length === 0 && wanted.length === 0)
  process.stdout.write("Everything in desktop/dist is up to date.\n");
// Loaded on demand, because a single part needs less.
const drifted =
  wanted.length === 0 ? await (await import("@hearth/local-api/build/drift")).driftOfLocalApi() : [];
if (drifted.length > 0) {
  const names = drifted.map((name) => `desktop/local-api/src/generated/${name}`).join(", ");
  process.stderr.write(
    `No longer what the controllers make: ${names}; run node desktop/local-api/build/openapi.ts\n`,
  );
  process.exitCode = 1;
}
