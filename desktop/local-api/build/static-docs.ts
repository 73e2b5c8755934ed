import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describeSite } from "./static-docs-manifest.ts";

/** The output folder. */
export const STATIC_DOCS_SOURCE = path.join(path.dirname(import.meta.dirname), "docs");
const program = path.join(import.meta.dirname, "static-docs-program.ts");

/** VitePress needs default exports in its configuration and theme. */
function writeEntries(workshop: string): void {
  const site = path.join(import.meta.dirname, "static-docs-site.ts");
  const own = path.join(workshop, ".vitepress");
  mkdirSync(path.join(own, "theme"), { recursive: true });
  writeFileSync(path.join(own, "config.mts"), `export { site as default } from ${JSON.stringify(site)};\n`);
  writeFileSync(
    path.join(own, "theme", "index.js"),
    `import Theme from "vitepress/theme-without-fonts";\nimport "../../theme.css";\nexport default Theme;\n`,
  );
  writeFileSync(path.join(workshop, "tsconfig.json"), "{}\n");
}

/** VitePress writes to standard output and changes the environment, so it runs in its own process. */
async function runVitePress(workshop: string, output: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [program, workshop, output]);
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`The documentation was not built:\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * Builds the documentation site and its manifest into `static-docs` below `folder`. Works on a copy of the sources,
 * because VitePress writes among them. Rejects on dead links.
 */
export async function makeStaticDocs(folder: string, source = STATIC_DOCS_SOURCE): Promise<void> {
  const output = path.join(folder, "static-docs");
  const workshop = path.join(path.dirname(folder), "static-docs-source");
  cpSync(source, workshop, { recursive: true });
  writeEntries(workshop);
  await runVitePress(workshop, output);
  describeSite(output);
}
