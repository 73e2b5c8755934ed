import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { devicesAt, tokenOf } from "../../src/settings-screen/devices.ts";
import { windowsForTests } from "../../src/settings-screen/for-tests.ts";
import { issueToken } from "../../src/settings-screen/settings-window.ts";
import type { SettingsWindow, WindowOptions } from "../../src/settings-screen/settings-window.ts";

jest.setTimeout(60_000);

const devices = devicesAt(Date.now());
type Device = keyof typeof devices;
type Place = "local-api" | "general" | "about";

const screens: readonly (readonly [Place, Device])[] = [
  ...(Object.keys(devices) as Device[]).map((device) => ["local-api", device] as const),
  ["general", "on"],
  ["general", "lan"],
  ["general", "unanswered"],
  ["general", "loading"],
  ["about", "off"],
  ["about", "lan"],
];

/** A narrow phone, a zoom of 200 % of a common window, and one of 400 % of a small screen. */
const sizes = [
  { width: 360, height: 740 },
  { width: 590, height: 430 },
  { width: 320, height: 256 },
] as const;

let axe: string;

/** Over the debugging protocol, which bypasses the page's policy. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** Waits for two frames, until new colours apply everywhere. */
const painted = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

const excessWidth = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Cut-off text that neither scrolls nor is shortened on purpose. */
const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll("button, h1, h2, p, a, .status, .mark, label")]
    .filter((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
    .filter((it) => !it.closest(".visually-hidden, pre"))
    .map((it) => it.outerHTML)`);

inChromium("accessibility of the settings in Chromium", () => {
  const { windowOf } = windowsForTests();
  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  });

  async function screenOf(page: Place, device: Device, options: WindowOptions = {}): Promise<SettingsWindow> {
    const window = await windowOf(devices[device], { path: `settings/${page}`, ...options });
    await window.page.getByRole("heading", { level: 1 }).waitFor();
    return window;
  }

  const still = { reducedMotion: "reduce" as const };

  async function expectNoViolation(page: Page): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(painted);
      expect([colorScheme, ...(await violations(page))]).toEqual([colorScheme]);
    }
  }

  it.each(screens)(
    "the page %s of a device that is %s: no violation of axe in light and dark, no scrolling sideways on any size",
    async (place, device) => {
      await using window = await screenOf(place, device, { context: still });
      const { page } = window;
      await expectNoViolation(page);
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect([size.width, await excessWidth(page), ...(await cutTexts(page))]).toEqual([size.width, 0]);
      }
      await expectNoViolation(page);
      expect(window.complaints).toEqual([]);
    },
  );

  it("errors beside fields, a notice, the network dialog and the page in a browser: no violation of axe", async () => {
    await using window = await screenOf("local-api", "on", { context: still });
    const { page } = window;
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("Port", { exact: true }).fill("0");
    await page.getByLabel("Port", { exact: true }).press("Enter");
    await page.evaluate(issueToken, tokenOf("9", "mara", Date.now()));
    await page.getByText("mara logged in to the local API").waitFor();
    await expectNoViolation(page);
    await page.getByRole("switch", { name: "Reachable from your network" }).click();
    await page.getByRole("alertdialog").waitFor();
    await expectNoViolation(page);
    expect(window.complaints).toEqual([]);
    await using bare = await screenOf("local-api", "off", { context: still, isBare: true });
    await expectNoViolation(bare.page);
  });

  it.each(sizes)("the network dialog can be answered at $width px", async (viewport) => {
    await using window = await screenOf("local-api", "on", { context: { viewport } });
    await window.page.getByRole("switch", { name: "Reachable from your network" }).click();
    await window.page.getByRole("button", { name: "Make reachable" }).click();
    await window.page.getByText("Other computers on your network can reach the local API.").waitFor();
  });

  describe("in right-to-left languages", () => {
    it.each(["local-api", "general"] as const)(
      "the page %s is mirrored, and addresses are not",
      async (name) => {
        await using window = await screenOf(name, "lan", { direction: "rtl" });
        const { page } = window;
        expect(await excessWidth(page)).toBe(0);
        const sidebar = await page.getByRole("banner").boundingBox();
        const main = await page.getByRole("main").boundingBox();
        expect(sidebar?.x).toBeGreaterThan(main?.x ?? Infinity);
        const toggled = await page.getByRole("switch").first().boundingBox();
        const label = await page.locator(".row .label").first().boundingBox();
        expect(toggled?.x).toBeLessThan(label?.x ?? 0);
        expect(await violations(page)).toEqual([]);
      },
    );

    it("works at a width of 360 px", async () => {
      await using window = await screenOf("local-api", "lan", {
        direction: "rtl",
        context: { viewport: { width: 360, height: 740 } },
      });
      expect(await excessWidth(window.page)).toBe(0);
    });
  });

  describe("a user's own display settings", () => {
    const longest = (page: Page): Promise<number> =>
      page.evaluate(`Math.max(...[...document.querySelectorAll("*")].flatMap((it) => {
        const { transitionDuration, animationDuration } = getComputedStyle(it);
        return [...transitionDuration.split(","), ...animationDuration.split(",")].map(parseFloat);
      }))`);

    it("reduced motion stops all motion", async () => {
      await using calm = await screenOf("local-api", "on", { context: still });
      expect(await longest(calm.page)).toBeLessThan(0.001);
      await using moving = await screenOf("local-api", "on", { context: { reducedMotion: "no-preference" } });
      expect(await longest(moving.page)).toBeGreaterThan(0.1);
    });

    it("forced colours keep a switch's state and the current page visible", async () => {
      await using window = await screenOf("local-api", "on", { context: { forcedColors: "active" } });
      const paints = await window.page.evaluate<string[]>(`["true", "false"].map((checked) =>
        getComputedStyle(document.querySelector("[role=switch][aria-checked=" + checked + "]")).backgroundColor)`);
      expect(new Set(paints).size).toBe(2);
      const outline = "getComputedStyle(document.querySelector('[aria-current=page]')).outlineStyle";
      expect(await window.page.evaluate(outline)).toBe("solid");
    });
  });
});
