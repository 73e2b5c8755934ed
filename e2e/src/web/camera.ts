import type { Pictures } from "../browser/pictures.ts";
import type { Tab } from "./tab.ts";

/** Waits for two frames, until new colours and sizes apply everywhere. */
export const PAINTED =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

export const SCHEMES = ["light", "dark"] as const;

export const DESKTOP = { width: 1280, height: 800 };
export const TABLET = { width: 820, height: 1100 };
export const PHONE = { width: 360, height: 740 };

/** Takes a screenshot of a tab in light and in dark. */
export class Camera {
  private readonly pictures: Pictures;

  constructor(pictures: Pictures) {
    this.pictures = pictures;
  }

  async take({ page }: Tab, name: string): Promise<void> {
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(PAINTED);
      const picture = await page.screenshot({ animations: "disabled" });
      await this.pictures.save(`client-${name}-${colorScheme}.png`, picture);
    }
  }
}
