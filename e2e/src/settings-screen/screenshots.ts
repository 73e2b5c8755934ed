/** Takes the pictures of the settings: `node e2e/src/settings-screen/screenshots.ts [FOLDER]`. */
import type { Page } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { Pictures } from "../browser/pictures.ts";
import { serveFolder } from "../browser/static-site.ts";
import { buildWindow } from "./built-window.ts";
import { devicesAt, tokenOf } from "./devices.ts";
import type { DeviceScenario } from "./devices.ts";
import { issueToken, openWindow } from "./settings-window.ts";

/** A fixed moment, so that pictures differ only where the screens do. */
const NOW = Date.UTC(2026, 10, 20, 13, 5);

const devices = devicesAt(NOW);

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly scenario: DeviceScenario;
  readonly width?: number;
  /** Only the visible part instead of the whole page. */
  readonly isCut?: boolean;
  /** Steps before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

const localApi = "settings/local-api";

const PICTURES: readonly Picture[] = [
  { name: "settings-local-api", path: localApi, scenario: devices.on },
  { name: "settings-local-api-lan", path: localApi, scenario: devices.lan },
  { name: "settings-port-in-use", path: localApi, scenario: devices["port-in-use"] },
  { name: "settings-general", path: "settings/general", scenario: { autoStart: true } },
  { name: "settings-about", path: "settings/about", scenario: {} },
  { name: "settings-narrow", path: localApi, scenario: devices.lan, width: 360 },
  {
    name: "settings-lan-question",
    isCut: true,
    path: localApi,
    scenario: devices.on,
    act: (page) => page.getByRole("switch", { name: "Reachable from your network" }).click(),
  },
  {
    name: "settings-token-issued",
    isCut: true,
    path: "settings/general",
    scenario: devices.on,
    async act(page) {
      await page.evaluate(issueToken, tokenOf("9", "mara", NOW));
      await page.getByText("mara logged in to the local API").waitFor();
    },
  },
];

const pictures = await Pictures.open();
const built = await buildWindow();
await using site = await serveFolder(built.folder);
const browser = await launchChromium();
async function take(picture: Picture, colorScheme: "light" | "dark"): Promise<void> {
  const { name, scenario, width = 1180, isCut = false } = picture;
  await using window = await openWindow(browser, site, built, {
    path: picture.path,
    scenario,
    context: { colorScheme, reducedMotion: "reduce", viewport: { width, height: 800 } },
  });
  const { page } = window;
  await page.clock.setFixedTime(NOW);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await picture.act?.(page);
  const height = isCut ? 800 : Number(await page.evaluate("document.documentElement.scrollHeight"));
  await page.setViewportSize({ width, height });
  await pictures.save(`${name}-${colorScheme}.png`, await page.screenshot());
  for (const complaint of window.complaints) console.error(`${name}: ${complaint}`);
}

for (const colorScheme of ["light", "dark"] as const)
  for (const picture of PICTURES) await take(picture, colorScheme);
await browser.close();
