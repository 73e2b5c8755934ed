import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const canRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The machine's Chromium: named by `CHROMIUM_PATH`, else the first that is on the path. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return canRun(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(canRun);
}

export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("No Chromium here; name one by CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...more] });
}
