import type { Browser, BrowserContext } from "playwright-core";
import type { Sample } from "../figures/results.ts";

/** Notes when a selector first matches a visible element, by the page's clock. */
const watch = (selector: string): string => `
  globalThis.shownAt = new Promise((resolve) => {
    const look = () => {
      const found = document.querySelector(${JSON.stringify(selector)});
      if (found && found.getBoundingClientRect().height > 0) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });`;

/** The time from opening a page to its main content, in milliseconds. */
async function showing(context: BrowserContext, url: string, selector: string): Promise<Sample> {
  const page = await context.newPage();
  await page.addInitScript(watch(selector));
  await page.goto(url);
  const shownMs = await page.evaluate<number>("globalThis.shownAt");
  const paintMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
  );
  const bytes = await page.evaluate<number>(
    "performance.getEntriesByType('resource').reduce((sum, it) => sum + it.transferSize, 0)",
  );
  await page.close();
  return { shownMs, paintMs, kib: bytes / 1024 };
}

/** In a new profile with an empty cache. */
export async function firstVisit(browser: Browser, url: string, selector: string): Promise<Sample> {
  const context = await browser.newContext();
  const sample = await showing(context, url, selector);
  await context.close();
  return sample;
}

export const nextVisit = showing;
