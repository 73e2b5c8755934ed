import type { Locator, Page } from "playwright-core";
import type { SettingsWindow } from "./settings-window.ts";

export const toggle = (page: Page, name: string): Locator => page.getByRole("switch", { name, exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** Resolves when the page has announced this text. */
export const said = (page: Page, text: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" });

export const copied = (page: Page): Promise<string> => page.evaluate("navigator.clipboard.readText()");

/** The text of the focused element. */
export const focused = (page: Page): Promise<string | null> =>
  page.evaluate("document.activeElement?.textContent ?? null");

export async function expectFocus(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`document.activeElement?.textContent === ${JSON.stringify(text)}`);
}

export const hasFocus = async (it: Locator): Promise<boolean> =>
  (await it.and(it.page().locator(":focus")).count()) === 1;

/** The changes that the window requested from the app. */
export async function changesOf(window: SettingsWindow): Promise<readonly string[]> {
  return (await window.calls()).filter((call) => !/^secrets\.|\.(view|get|level)$/.test(call));
}
