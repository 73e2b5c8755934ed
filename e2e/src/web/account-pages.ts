import type { Locator } from "playwright-core";
import type { Tab } from "./tab.ts";

/** Fills and submits the visible sign-in form. */
export async function enter(tab: Tab, submit: string, username: string, password: string): Promise<void> {
  await tab.page.getByLabel("Username").fill(username);
  await tab.page.getByLabel("Password", { exact: true }).fill(password);
  await tab.button(submit).click();
}

/** Resolves when the tab is at this path, with its query. */
export const arrivesAt = (tab: Tab, address: string): Promise<void> =>
  tab.page.waitForURL(new URL(address, tab.origin).href);

export const heading = (tab: Tab, name: string | RegExp): Locator =>
  tab.page.getByRole("heading", { level: 1, name });

export const shows = (tab: Tab, text: string | RegExp): Promise<void> =>
  tab.page.getByText(text).first().waitFor();

export async function signOut(tab: Tab): Promise<void> {
  await tab.go("/settings/account");
  await tab.button("Sign out").click();
  await tab.page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click();
  await arrivesAt(tab, "/login");
}

export const hostOf = (url: string): string => new URL(url).host;

/** Adds another instance and opens its directory. */
export async function addSignalServer(tab: Tab, url: string): Promise<void> {
  await tab.go("/directory");
  await tab.button("Add instance").click();
  const dialog = tab.page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(url);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await tab.page.getByRole("tab", { name: hostOf(url), selected: true }).waitFor();
}

/** Joins a public server in the open directory. */
export async function joinListed(tab: Tab, room: string): Promise<void> {
  await tab.button(`Join ${room}`).first().click();
  await tab.inRoom(room);
}

/** An instance's entry in the rail, by its accessible name. */
export const railEntry = (tab: Tab, url: string, remark = ""): Locator =>
  tab.button(`Instance ${hostOf(url)}${remark}`);

/** An instance's row in the open settings. */
export const serverRow = (tab: Tab, url: string): Locator =>
  tab.page.getByRole("listitem").filter({ hasText: hostOf(url) });
