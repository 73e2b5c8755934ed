import path from "node:path";
import { pathToFileURL } from "node:url";
import { dist, ensureBuilt } from "./parts.ts";
import type { PartName } from "./parts.ts";

/** The export of the bundle: `headless/src/main.ts`. */
interface Headless {
  main(argv: readonly string[], prepare: (documents: readonly PartName[]) => Promise<void>): Promise<void>;
}

const prepare = async (names: readonly PartName[]): Promise<void> => {
  await ensureBuilt(names, (line) => process.stderr.write(`${line}\n`));
};

/** `npm run desktop:headless`: builds what is missing, then runs the program. */
await prepare(["headless"]);
const headless = (await import(pathToFileURL(path.join(dist, "headless.mjs")).href)) as Headless;
await headless.main(process.argv.slice(2), prepare);
