import type { Locator, Page } from "playwright-core";
import type { SettingsWindow } from "./settings-window.ts";

export const toggle = (page: Page, name: string): Locator => page.getByRole("switch", { name, exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** Resolves when the page has announced it. */
export const said = (page: Page, text: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

export const copied = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()");

/** The text of what has the focus. */
export const focused = (page: Page): Promise<string | null> =>
  page.evaluate("document.activeElement?.textContent ?? null");

export async function expectFocus(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`document.activeElement?.textContent === ${JSON.stringify(text)}`);
}

export const hasFocus = async (it: Locator): Promise<boolean> =>
  (await it.and(it.page().locator(":focus")).count()) === 1;

/** What the window asked the app to change. */
export async function changesOf(window: SettingsWindow): Promise<readonly string[]> {
  return (await window.calls()).filter((call) => !/^secrets\.|\.(view|get|level)$/.test(call));
}
