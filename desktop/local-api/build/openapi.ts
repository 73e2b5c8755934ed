import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { faultsOfDocument } from "./openapi-checks.ts";
import { openApiFrom } from "./openapi-document.ts";
import { runTsoa } from "./tsoa.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const biome = createRequire(import.meta.url).resolve("@biomejs/biome/bin/biome");

/** Where generated files are committed; a test compares them with a fresh build. */
export const generatedFolder = path.join(root, "desktop", "local-api", "src", "generated");

function formatted(name: string, text: string): string {
  const place = `--stdin-file-path=${path.join(generatedFolder, name)}`;
  const options = { input: text, encoding: "utf8", cwd: root } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "format", place], options);
  if (status !== 0) throw new Error(`${name} could not be formatted: ${stderr}`);
  return stdout;
}

/** Writes routes and document of the local API into the folder, or throws why it cannot. */
export async function generateLocalApi(folder: string): Promise<void> {
  const { routes, document: written } = await runTsoa();
  const document = openApiFrom(written);
  const faults = await faultsOfDocument(document);
  if (faults.length > 0) throw new Error(`The OpenAPI document is not fit:\n${faults.join("\n")}`);
  writeFileSync(path.join(folder, "routes.ts"), formatted("routes.ts", routes));
  writeFileSync(path.join(folder, "openapi.json"), formatted("openapi.json", JSON.stringify(document)));
}

if (import.meta.main) await generateLocalApi(generatedFolder);
