import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Locator, Page } from "playwright-core";
import { PAINTED, SCHEMES } from "./camera.ts";

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Waits for fading colours, but not for endless motion. */
const SETTLED = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
    .map((animation) => animation.finished)
).then(() => undefined)`;

/**
 * The axe violations in light and in dark, except for some rules. Runs over the debugging protocol, which bypasses
 * the page's policy.
 */
export async function violationsOf(page: Page, ...apart: readonly string[]): Promise<readonly string[]> {
  const rules = Object.fromEntries(apart.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules });
  const all: string[] = [];
  await page.evaluate(await axe);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(PAINTED);
    await page.evaluate(SETTLED);
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        all.push(`${colorScheme}, ${id}: ${html} ${failureSummary ?? ""}`);
  }
  return all;
}

/** The pixels by which the page is wider than its window. */
export const excessWidth = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Texts of controls and headings that are cut off without an ellipsis. */
export const cutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll("button, h1, h2, h3, p, a, label, dt, legend")]
    .filter((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
    .filter((it) => !it.closest(".visually-hidden, pre") && getComputedStyle(it).textOverflow !== "ellipsis")
    .filter((it) => it.checkVisibility() && getComputedStyle(it).overflowX !== "visible")
    .map((it) => it.outerHTML)`);

/** The side of the window each box is on, and whether any two overlap. */
export async function columnsOf(...parts: readonly Locator[]): Promise<readonly number[]> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  return boxes.flatMap((box) => (box === null ? [] : [Math.round(box.x), Math.round(box.x + box.width)]));
}

/** The longest transition or animation of anything on the page, in seconds. */
export const longestMotion = (page: Page): Promise<number> =>
  page.evaluate(`Math.max(...[...document.querySelectorAll("*")].flatMap((it) => {
    const { transitionDuration, animationDuration, animationIterationCount } = getComputedStyle(it);
    const times = [...transitionDuration.split(","), ...animationDuration.split(",")].map(parseFloat);
    return animationIterationCount === "infinite" ? [...times, 1] : times;
  }))`);

/** The focused element and its visible mark: an outline, a ring or a colour. */
const FOCUS = `(() => {
  const it = document.activeElement;
  const name = it.getAttribute("aria-label") ?? it.textContent.trim().slice(0, 40);
  const told = it.tagName.toLowerCase() + " " + (name || it.getAttribute("name"));
  const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(it);
  const isOutlined = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  const isEntry = it.matches("[role=menuitem], [role=option]") && backgroundColor !== "rgba(0, 0, 0, 0)";
  const box = it.matches("textarea, input") ? it.parentElement?.parentElement : null;
  const ring = box == null ? null : getComputedStyle(box);
  const isRinged = ring !== null && (ring.boxShadow !== "none" || ring.outlineStyle !== "none");
  const { width, height } = it.getBoundingClientRect();
  const isThere = width > 0 && height > 0;
  // After the last stop the focus moves to the browser's own controls.
  const isAway = it === document.body;
  return { told, isSeen: isAway || (isThere && (isOutlined || isEntry || isRinged)) };
})()`;

/** The outline of the current link of each list. */
export const outlinesOfCurrent = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll("nav [aria-current=page]")]
    .map((it) => getComputedStyle(it).outlineStyle)`);

/** A keyboard user; every focus stop must be visible. */
export class Keyboard {
  private readonly page: Page;
  /** Stops without a visible focus. */
  readonly unseen: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Presses a key until the element has the focus. */
  async goTo(target: Locator, key = "Tab"): Promise<void> {
    await target.first().waitFor();
    for (let presses = 0; presses < 60; presses += 1) {
      await this.press(key);
      await this.page.evaluate(PAINTED);
      await this.look();
      if (await this.isOn(target)) return;
    }
    throw new Error("The keyboard does not lead there");
  }

  /** Moves on with Tab unless the element already has the focus. */
  async reach(target: Locator): Promise<void> {
    await target.waitFor();
    if (await this.isOn(target)) await this.look();
    else await this.goTo(target);
  }

  /** Waits until the element gets the focus by itself. */
  async arrivesOn(target: Locator): Promise<void> {
    await target.and(this.page.locator(":focus")).waitFor();
    await this.look();
  }

  private isOn(target: Locator): Promise<boolean> {
    return target.and(this.page.locator(":focus")).isVisible();
  }

  private async look(): Promise<void> {
    const { told, isSeen } = await this.page.evaluate<{ told: string; isSeen: boolean }>(FOCUS);
    if (!isSeen) this.unseen.push(told);
  }
}
