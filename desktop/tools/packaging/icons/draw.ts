// `node desktop/tools/packaging/icons/draw.ts /path/to/chromium`: renders the icons from the product's SVG. The
// results are committed, so that builds need no Chromium.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { icnsFile, icoFile } from "./containers.ts";

const here = import.meta.dirname;
const desktop = path.resolve(here, "../..");
const logo = readFileSync(path.resolve(desktop, "../runtime/src/reference/page/icon.svg"), "utf8");
const flame = readFileSync(path.join(here, "flame.svg"), "utf8");

const [, , executablePath = "chromium"] = process.argv;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();

async function draw(svg: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="${image}">`,
  );
  await page
    .locator("img")
    .evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode());
  return page.screenshot({ omitBackground: true });
}

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const pictures = new Map<number, Buffer>();
for (const size of sizes) pictures.set(size, await draw(logo, size));
const picture = (size: number): Buffer => pictures.get(size) ?? Buffer.alloc(0);

for (const size of [16, 32, 48, 64, 128, 256, 512])
  writeFileSync(path.join(here, "png", `${size}x${size}.png`), picture(size));
writeFileSync(
  path.join(here, "icon.ico"),
  icoFile([16, 24, 32, 48, 64, 256].map((size) => ({ size, png: picture(size) }))),
);
writeFileSync(path.join(here, "icon.icns"), icnsFile(pictures));

const dataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString("base64")}`;
const tray = [16, 32].map((size, index) => ({ scaleFactor: index + 1, dataURL: dataUrl(picture(size)) }));
const template: { scaleFactor: number; dataURL: string }[] = [];
for (const scaleFactor of [1, 2])
  template.push({ scaleFactor, dataURL: dataUrl(await draw(flame, 18 * scaleFactor)) });

writeFileSync(
  path.join(desktop, "src/shell/generated/icons.ts"),
  [
    "// Drawn by packaging/icons/draw.ts.",
    `export const TRAY_ICON = ${JSON.stringify(tray, null, 2)} as const;`,
    "",
    "/** The flame alone, in black: macOS colours it to suit its bar. */",
    `export const TRAY_TEMPLATE = ${JSON.stringify(template, null, 2)} as const;`,
    "",
  ].join("\n"),
);
await browser.close();
