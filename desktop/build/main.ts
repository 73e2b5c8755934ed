import { driftOfLocalApi } from "./drift.ts";
import { ensureBuilt, partNames } from "./parts.ts";

/** `npm run desktop:build`: everything of `dist` that is missing or old; fails where generated files are old. */
const built = await ensureBuilt(partNames, (line) => process.stdout.write(`${line}\n`));
if (built.length === 0) process.stdout.write("Everything in desktop/dist is up to date.\n");
const drifted = await driftOfLocalApi();
if (drifted.length > 0) {
  const names = drifted.map((name) => `desktop/src/local-api/generated/${name}`).join(", ");
  process.stderr.write(`No longer what the controllers make: ${names}; run node desktop/build/openapi.ts\n`);
  process.exitCode = 1;
}
