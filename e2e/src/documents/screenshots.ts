/** Takes the pictures of the documents: `node e2e/src/documents/screenshots.ts [FOLDER]`. */
import { launchChromium } from "../browser/chromium.ts";
import { Pictures } from "../browser/pictures.ts";
import { openDocument, startDocuments } from "./document-page.ts";

const PICTURES = [
  { name: "local-reference", address: "/docs", height: 900 },
  { name: "static-docs", address: "/static-docs", height: 860 },
  { name: "static-docs-recipe", address: "/static-docs/recipe-backup", height: 1000 },
] as const;

const pictures = await Pictures.open();
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
    await pictures.save(`${name}-${colorScheme}.png`, await opened.page.screenshot());
    for (const complaint of opened.complaints) console.error(`${name}: ${complaint}`);
  }
}
await browser.close();
