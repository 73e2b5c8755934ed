import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describeSite } from "./static-docs-manifest.ts";

/** Where the site is written. */
export const STATIC_DOCS_SOURCE = path.join(path.dirname(import.meta.dirname), "docs");
const program = path.join(import.meta.dirname, "static-docs-program.ts");

/** VitePress takes its configuration and its theme from files that export by default. */
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

/** VitePress speaks on standard output and changes its process's environment, so it gets a process of its own. */
async function runVitePress(workshop: string, output: string): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [program, workshop, output]);
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`The documentation was not built:\n${stdout}${stderr}`, { cause: error });
  }
}

/**
 * Builds the documentation site and what the local server must know of it into `static-docs` below `folder`. It works
 * on a copy of the sources beside that folder, since VitePress writes among them. Rejects where a link leads nowhere.
 */
export async function makeStaticDocs(folder: string, source = STATIC_DOCS_SOURCE): Promise<void> {
  const output = path.join(folder, "static-docs");
  const workshop = path.join(path.dirname(folder), "static-docs-source");
  cpSync(source, workshop, { recursive: true });
  writeEntries(workshop);
  await runVitePress(workshop, output);
  describeSite(output);
}
