import { cpSync, copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { REFERENCE_PAGE_FOLDER, SWAGGER_UI_FILES } from "@hearth/runtime";

/** Copies the reference's files to `reference` below `folder`, where a bundled program finds them. */
export async function makeReference(folder: string): Promise<void> {
  const output = path.join(folder, "reference");
  cpSync(REFERENCE_PAGE_FOLDER, output, { recursive: true });
  const swaggerUi = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  for (const file of [...SWAGGER_UI_FILES, "LICENSE", "NOTICE"]) {
    copyFileSync(path.join(swaggerUi, file), path.join(output, file));
  }
}
