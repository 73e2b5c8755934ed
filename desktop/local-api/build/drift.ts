import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generatedFolder, generateLocalApi } from "./openapi.ts";

/** Names of generated files that differ from a fresh build. */
export async function driftOfLocalApi(): Promise<readonly string[]> {
  const fresh = mkdtempSync(path.join(tmpdir(), "hearth-generated-"));
  try {
    await generateLocalApi(fresh);
    const textIn = (folder: string, name: string): string => readFileSync(path.join(folder, name), "utf8");
    const names = new Set([...readdirSync(fresh), ...readdirSync(generatedFolder)]);
    const isIn = (folder: string, name: string): boolean => readdirSync(folder).includes(name);
    return [...names].filter(
      (name) =>
        !isIn(fresh, name) ||
        !isIn(generatedFolder, name) ||
        textIn(fresh, name) !== textIn(generatedFolder, name),
    );
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
