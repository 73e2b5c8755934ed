import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** The parts of `desktop/dist` in a package. */
const SHIPPED = ["main.mjs", "preload.cjs", "renderer", "reference", "static-docs"] as const;

/** Creates the app's folder for electron-builder: with a manifest, and without dependencies. */
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
