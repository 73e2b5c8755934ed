import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Tab } from "./tab.ts";

/** Two frames on, when new colours and sizes are in force everywhere. */
export const PAINTED =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

export const SCHEMES = ["light", "dark"] as const;

export const DESKTOP = { width: 1280, height: 800 };
export const TABLET = { width: 820, height: 1100 };
export const PHONE = { width: 360, height: 740 };

/** Takes what a tab shows, in light and in dark, into one folder. */
export class Camera {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async into(folder: string): Promise<Camera> {
    await mkdir(folder, { recursive: true });
    return new Camera(path.resolve(folder));
  }

  async take({ page }: Tab, name: string): Promise<void> {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(PAINTED);
      const file = path.join(this.folder, `client-${name}-${colorScheme}.png`);
      await page.screenshot({ path: file, animations: "disabled" });
    }
  }
}
