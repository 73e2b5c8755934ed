import { GARDEN } from "../neighbours.ts";
import type { Scene } from "./scene.ts";

/** The garden server as its owner sees it. */
export async function inTheGarden({ camera, people: { mara, ben } }: Scene): Promise<void> {
  const { tab } = mara;
  await tab.composer.fill("See you ");
  await ben.tab.composer.pressSequentially("I will");
  await tab.page.getByText("Ben Okoro is typing").waitFor();
  await camera.take(tab, "room");
  await tab.composer.fill("");
  await ben.tab.composer.fill("");
  await tab.message("No more floods").hover();
  await camera.take(tab, "message-actions");
  await tab.message("No more floods").click({ button: "right", position: { x: 4, y: 4 } });
  await camera.take(tab, "message-menu");
  await tab.page.keyboard.press("Escape");
  await tab.chooseFor("two trays of basil", "Reply");
  await tab.composer.fill("@");
  await tab.page.getByRole("listbox").waitFor();
  await camera.take(tab, "reply-and-mention");
  await tab.composer.fill("");
  await tab.button("Cancel reply").click();
}

/** Dialogs and menus over the conversation. */
export async function overTheGarden({ camera, people: { mara } }: Scene): Promise<void> {
  const { tab } = mara;
  const { keyboard } = tab.page;
  await tab.button("Search messages").click();
  await tab.page.getByLabel("Search messages by text").fill("the");
  await tab.page
    .getByText(/\d messages/)
    .first()
    .waitFor();
  await camera.take(tab, "search");
  await tab.button("Close search").click();
  await tab.button("Emoji").click();
  await tab.page.getByRole("combobox", { name: "Search" }).waitFor();
  await tab.page
    .getByRole("menuitem", { name: /grinning face/ })
    .first()
    .waitFor();
  await camera.take(tab, "emoji");
  await keyboard.press("Escape");
  await keyboard.press("Control+k");
  await tab.page.getByRole("combobox", { name: "Server, channel or user" }).fill("s");
  await camera.take(tab, "switcher");
  await keyboard.press("Escape");
  await keyboard.press("Control+/");
  await tab.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await camera.take(tab, "shortcuts");
  await keyboard.press("Escape");
}

/** The owner's dialogs of the server. */
export async function whoRuns({ camera, people: { mara } }: Scene): Promise<void> {
  const { tab } = mara;
  const { page } = tab;
  await tab.button("Menu for Ben Okoro").click();
  await camera.take(tab, "member-menu");
  await page.getByRole("menuitem", { name: "Ban…" }).click();
  await camera.take(tab, "ban");
  await page.keyboard.press("Escape");
  await tab.button(`Menu for ${GARDEN}`).click();
  await camera.take(tab, "room-menu");
  await page.keyboard.press("Escape");
  await tab.chooseForRoom(GARDEN, "Invite people");
  await camera.take(tab, "invite-dialog");
  await page.keyboard.press("Escape");
  await tab.chooseForRoom(GARDEN, "Server settings");
  for (const name of ["Overview", "Channels", "Requests", "Bans", "Invites", "Ownership"]) {
    await page.getByRole("dialog").getByRole("tab", { name }).click();
    await camera.take(tab, `room-settings-${name.toLowerCase()}`);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
