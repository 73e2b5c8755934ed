import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** What a package holds of `desktop/dist`. */
const SHIPPED = ["main.mjs", "preload.cjs", "renderer", "reference", "static-docs"] as const;

/** Puts the app's folder together anew, as electron-builder wants it: with a manifest, and without dependencies. */
export async function stage(built: string, target: string, version: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const filter = (source: string): boolean => !path.basename(source).startsWith(".");
  for (const name of SHIPPED)
    await cp(path.join(built, name), path.join(target, name), { recursive: true, filter });
  const manifest = {
    name: "hearth",
    productName: "Hearth",
    version,
    description: "A self-hosted place to talk",
    author: "Hearth contributors",
    homepage: "https://hearth.localhost",
    main: "main.mjs",
    type: "module",
  };
  await writeFile(path.join(target, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
