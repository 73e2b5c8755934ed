import { accessSync, constants } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

/** Headless browsers need a quarter less processor time than full ones. */
const WITHOUT_WINDOWS = ["chromium-headless-shell", "chrome-headless-shell"];
const WHOLE = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export interface BrowserWish {
  /** Prefers the full browser to the headless one. */
  readonly isWhole?: boolean;
}

const canRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The machine's Chromium: from `CHROMIUM_PATH`, else from the path, of the preferred kind if available. */
export function findChromium({ isWhole = false }: BrowserWish = {}): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  if (named !== undefined && named !== "") return canRun(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const names = isWhole ? [...WHOLE, ...WITHOUT_WINDOWS] : [...WITHOUT_WINDOWS, ...WHOLE];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(canRun);
}

export function launchChromium(more: readonly string[] = [], wish: BrowserWish = {}): Promise<Browser> {
  const executablePath = findChromium(wish);
  if (executablePath === undefined) throw new Error("No Chromium here; name one by CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...more] });
}
