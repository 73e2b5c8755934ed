/** Takes the pictures of the documents into a folder: `node e2e/src/documents/screenshots.ts [docs/screens]`. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { launchChromium } from "../browser/chromium.ts";
import { openDocument, startDocuments } from "./document-page.ts";

const PICTURES = [
  { name: "local-reference", address: "/docs", height: 900 },
  { name: "static-docs", address: "/static-docs", height: 860 },
  { name: "static-docs-recipe", address: "/static-docs/recipe-backup", height: 1000 },
] as const;

const folder = path.resolve(process.argv[2] ?? "docs/screens");
await mkdir(folder, { recursive: true });
await using documents = await startDocuments();
const browser = await launchChromium();
for (const colorScheme of ["light", "dark"] as const) {
  for (const { name, address, height } of PICTURES) {
    const viewport = { width: 1280, height };
    await using opened = await openDocument(browser, documents.url + address, {
      colorScheme,
      viewport,
      reducedMotion: "reduce",
    });
    await opened.page.waitForLoadState("networkidle");
    await opened.page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
    for (const complaint of opened.complaints) console.error(`${name}: ${complaint}`);
  }
}
await browser.close();
