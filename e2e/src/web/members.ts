import type { Locator } from "playwright-core";
import type { Tab } from "./tab.ts";

const list = (tab: Tab): Locator => tab.page.getByRole("complementary", { name: "Members" });

/** Opens the member list of the open server. */
export async function showMembers(tab: Tab): Promise<void> {
  if (!(await list(tab).isVisible())) await tab.button("Show members").click();
  await list(tab).waitFor();
}

export const memberRow = (tab: Tab, name: string): Locator =>
  list(tab).getByRole("listitem").filter({ hasText: name });

/** Chooses an entry of a member's menu. */
export async function chooseForMember(tab: Tab, name: string, entry: string): Promise<void> {
  await showMembers(tab);
  await tab.button(`Menu for ${name}`).click();
  await tab.page.getByRole("menuitem", { name: entry }).click();
}
