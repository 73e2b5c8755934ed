import type { BrowserContext } from "playwright-core";
import type { Sample } from "../figures/results.ts";

const RECORD = `
  globalThis.frames = [];
  globalThis.longTasks = 0;
  new PerformanceObserver((list) => { globalThis.longTasks += list.getEntries().length; }).observe({ type: "longtask" });
  { let last = performance.now();
    const look = (now) => { globalThis.frames.push(now - last); last = now; globalThis.recording && requestAnimationFrame(look); };
    globalThis.recording = true;
    requestAnimationFrame(look); }`;

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN;

/** Scrolls a long conversation up with the wheel; returns the frame times in milliseconds. */
export async function scrolling(context: BrowserContext, address: string, steps: number): Promise<Sample> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole("article").first().waitFor();
  await page.getByRole("log").hover();
  await page.evaluate(RECORD);
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(50);
  }
  const frames = await page.evaluate<number[]>("globalThis.recording = false, globalThis.frames");
  const longTasks = await page.evaluate<number>("globalThis.longTasks");
  const first = await page.getByRole("article").first().textContent();
  if (first === null || frames.length < steps) throw new Error("The conversation was not scrolled");
  await page.close();
  return {
    frameP50: quantile(frames, 0.5),
    frameP95: quantile(frames, 0.95),
    frameMax: quantile(frames, 1),
    longTasks,
  };
}
