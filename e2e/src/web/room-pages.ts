import type { Locator } from "playwright-core";
import { until } from "@hearth/runtime/testing/until";
import { storedData } from "./stored-data.ts";
import type { Tab } from "./tab.ts";

const PATIENCE_MS = 15_000;

/** A channel in a server's list, by its accessible name. */
export const channelOf = (tab: Tab, room: string, name: string | RegExp): Locator => {
  const list = tab.page.getByRole("navigation", { name: `Channels of ${room}` });
  return list.getByRole("link", { name, exact: typeof name === "string" });
};

/** Opens a tab of the open server's settings. */
export async function openSettings(tab: Tab, room: string, at: string): Promise<Locator> {
  await tab.chooseForRoom(room, "Server settings");
  const dialog = tab.page.getByRole("dialog", { name: `${room} settings` });
  await dialog.getByRole("tab", { name: at }).click();
  return dialog;
}

/** Saves the settings and closes them. */
export async function saveSettings(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Save", disabled: true }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Adds a text channel to a server. */
export async function addChannel(tab: Tab, room: string, name: string): Promise<void> {
  const dialog = await openSettings(tab, room, "Channels");
  await dialog.getByRole("button", { name: "Add text channel" }).click();
  await dialog
    .getByLabel(/^Name of channel/)
    .last()
    .fill(name);
  await saveSettings(dialog);
  await channelOf(tab, room, name).waitFor();
}

/** Resolves when the first message with this text is visible. */
export async function isInSight(tab: Tab, text: string): Promise<void> {
  const log = tab.page.getByRole("log");
  await until(async () => {
    const [outer, inner] = await Promise.all([
      log.boundingBox(),
      tab
        .message(text)
        .first()
        .boundingBox({ timeout: 1_000 })
        .catch(() => null),
    ]);
    if (outer === null || inner === null) return false;
    return inner.y + inner.height > outer.y && inner.y < outer.y + outer.height;
  }, PATIENCE_MS);
}

/** Types without sending; resolves when the page has stored the draft. */
export async function startsWriting(tab: Tab, text: string): Promise<void> {
  await tab.composer.fill(text);
  await until(async () => (await storedData(tab)).records.includes(text), PATIENCE_MS);
}

/** Resolves when the composer contains this text. */
export const hasWritten = (tab: Tab, text: string): Promise<void> =>
  until(async () => (await tab.composer.inputValue()) === text, PATIENCE_MS);
