import { afterAll, beforeAll } from "@jest/globals";
import type { Browser } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { serveFolder } from "../browser/static-site.ts";
import type { StaticSite } from "../browser/static-site.ts";
import { buildWindow } from "./built-window.ts";
import type { BuiltWindow } from "./built-window.ts";
import type { DeviceScenario } from "./devices.ts";
import { openWindow } from "./settings-window.ts";
import type { SettingsWindow, WindowOptions } from "./settings-window.ts";

export interface WindowsForTests {
  /** The folder of the built page. */
  readonly folder: string;
  readonly windowOf: (scenario: DeviceScenario, options?: WindowOptions) => Promise<SettingsWindow>;
}

interface Stage {
  readonly built: BuiltWindow;
  readonly site: StaticSite;
  readonly browser: Browser;
}

/** The built window and a browser for the tests of a block. */
export function windowsForTests(): WindowsForTests {
  let stage: Stage | undefined;
  const current = (): Stage => {
    if (!stage) throw new Error("The window is there only while the tests run");
    return stage;
  };
  beforeAll(async () => {
    const built = await buildWindow();
    stage = { built, site: await serveFolder(built.folder), browser: await launchChromium() };
  }, 120_000);
  afterAll(async () => {
    await stage?.browser.close();
    await stage?.site[Symbol.asyncDispose]();
  });
  return {
    get folder() {
      return current().built.folder;
    },
    windowOf: (scenario, options = {}) => {
      const { browser, site, built } = current();
      return openWindow(browser, site, built, { scenario, ...options });
    },
  };
}
