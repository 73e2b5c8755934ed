import type { Locator } from "playwright-core";
import type { Tab } from "./tab.ts";

/** Fills the form to sign in that is shown, and sends it. */
export async function enter(tab: Tab, submit: string, username: string, password: string): Promise<void> {
  await tab.page.getByLabel("Username").fill(username);
  await tab.page.getByLabel("Password", { exact: true }).fill(password);
  await tab.button(submit).click();
}

/** Resolves when the tab stands at this path, with its query. */
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

/** Lists a further signaling server and stands in its directory. */
export async function addSignalServer(tab: Tab, url: string): Promise<void> {
  await tab.go("/directory");
  await tab.button("Add instance").click();
  const dialog = tab.page.getByRole("dialog");
  await dialog.getByLabel("Address").fill(url);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await tab.page.getByRole("tab", { name: hostOf(url), selected: true }).waitFor();
}

/** Joins a public server of chat in the directory that is open. */
export async function joinListed(tab: Tab, room: string): Promise<void> {
  await tab.button(`Join ${room}`).first().click();
  await tab.inRoom(room);
}

/** The entry of a signaling server in the rail; what is to be said of it is in its name. */
export const railEntry = (tab: Tab, url: string, remark = ""): Locator =>
  tab.button(`Instance ${hostOf(url)}${remark}`);

/** The row of a signaling server in the settings that are open. */
export const serverRow = (tab: Tab, url: string): Locator =>
  tab.page.getByRole("listitem").filter({ hasText: hostOf(url) });
