import { beforeAll, expect, it, jest } from "@jest/globals";
import type { Locator } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { heading, shows } from "../../src/web/account-pages.ts";
import { newcomer, channelShownIn } from "../../src/web/users.ts";
import { ownDevicesForTests, worldForTests } from "../../src/web/for-tests.ts";
import { chooseForMember, memberRow, showMembers } from "../../src/web/members.ts";
import { addChannel, channelOf, openSettings, saveSettings } from "../../src/web/room-pages.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

/** Creates an unlisted or private server and opens it. */
async function found(tab: Tab, name: string, visibility: "Unlisted" | "Private"): Promise<void> {
  await tab.go("/");
  await tab.button("Add a server").click();
  await tab.page.getByRole("menuitem", { name: "Create server" }).click();
  const dialog = tab.page.getByRole("dialog", { name: "Create server" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("radio", { name: visibility }).click();
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await tab.inRoom(name);
}

async function askToJoin(tab: Tab, roomId: string, message: string): Promise<void> {
  await tab.go("/directory");
  await tab.button("Ask to join a private server").click();
  const dialog = tab.page.getByRole("dialog", { name: "Ask to join a private server" });
  await dialog.getByLabel("Server ID").fill(roomId);
  await dialog.getByLabel("Message (optional)").fill(message);
  await dialog.getByRole("button", { name: "Send request", exact: true }).click();
  await shows(tab, /^Your request was sent/u);
}

const close = (dialog: Locator): Promise<void> => dialog.getByRole("button", { name: "Close" }).click();

inChromium("servers", () => {
  const world = worldForTests();
  const devices = ownDevicesForTests(world);
  let ada: Tab;
  let ben: Tab;
  let cara: Tab;

  beforeAll(async () => {
    [ada, ben, cara] = await Promise.all([
      newcomer(world, "ada"),
      newcomer(world, "ben"),
      newcomer(world, "cara"),
    ]);
  }, 120_000);

  it("DI2 public ones are found by words and tags, joined and left", async () => {
    await ada.createRoom("Bakers of the quay");
    const dialog = await openSettings(ada, "Bakers of the quay", "Overview");
    await dialog.getByLabel("Description").fill("Rye, patience and butter");
    await dialog.getByLabel("Tags").fill("bread, sourdough");
    await saveSettings(dialog);
    await ben.go("/directory");
    await ben.button("Tag: sourdough").first().click();
    await ben.page.getByRole("heading", { name: "Tag: sourdough" }).waitFor();
    await ben.page.getByText("Rye, patience and butter").waitFor();
    await ben.findAndJoin("Bakers");
    await ben.leaveRoom("Bakers of the quay");
    await shows(ben, "You left Bakers of the quay.");
    await ben.findAndJoin("Bakers");
    await ben.say("Back for the rye");
    await ada.sees("Back for the rye");
  });

  it("DI3 unlisted ones are joined by an invite link, as often as it allows", async () => {
    await found(cara, "Hideout", "Unlisted");
    await cara.chooseForRoom("Hideout", "Invite people");
    const dialog = cara.page.getByRole("dialog", { name: "Invite people to Hideout" });
    await dialog.getByLabel("Expires after").selectOption("1 day");
    await dialog.getByLabel("Maximum uses").selectOption("1 use");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const code = await dialog.getByRole("code").textContent();
    await close(dialog);
    await ben.go("/directory");
    await ben.page.getByLabel("Search by name, topic or tag").fill("Hideout");
    await shows(ben, "No servers found.");
    await ben.go(`/invite/${code}`);
    await heading(ben, "Hideout").waitFor();
    await shows(ben, /^This invite expires/u);
    await ben.button("Join Hideout").click();
    await ben.inRoom("Hideout");
    await ben.say("Found it");
    await cara.sees("Found it");
    await ada.go("/");
    await ada.button("Add a server").click();
    await ada.page.getByRole("menuitem", { name: "Join with an invite" }).click();
    await ada.page.getByLabel("Link or code").fill(`${ada.origin}/invite/${code}`);
    await ada.button("Continue").click();
    await heading(ada, "This invite no longer works").waitFor();
  });

  it("DI4 private ones are joined on request; an approved user enters at once, a rejected one is told", async () => {
    await found(ada, "Council", "Private");
    const { roomId } = channelShownIn(ada);
    await askToJoin(ben, roomId, "I brought cake");
    await shows(ada, "ben asked to join Council.");
    let dialog = await openSettings(ada, "Council", "Requests");
    await dialog.getByText("I brought cake").waitFor();
    await dialog.getByRole("button", { name: "Approve ben" }).click();
    await shows(ben, "Your request to join a server was approved.");
    await close(dialog);
    await ben.enterRoom("Council");
    await ben.say("Thank you");
    await ada.sees("Thank you");
    dialog = await openSettings(ada, "Council", "Requests");
    await askToJoin(cara, roomId, "Me too");
    await dialog.getByRole("button", { name: "Decline cara" }).click();
    await shows(cara, "Your request to join a server was declined.");
    await dialog.getByText("No requests to join.").waitFor();
    await close(dialog);
    expect(await cara.inRail("Council").count()).toBe(0);
  });

  it("DI3 added, renamed and removed channels change for everybody at once", async () => {
    await ada.enterRoom("Council");
    await addChannel(ada, "Council", "minutes");
    await channelOf(ben, "Council", "minutes").click();
    await ben.say("For the minutes");
    await channelOf(ada, "Council", "minutes, 1 unread").waitFor();
    let dialog = await openSettings(ada, "Council", "Channels");
    await dialog.getByLabel("Name of channel 1").fill("hall");
    await saveSettings(dialog);
    await channelOf(ben, "Council", "hall").waitFor();
    dialog = await openSettings(ada, "Council", "Channels");
    await dialog.getByRole("button", { name: "Remove minutes" }).click();
    await saveSettings(dialog);
    await channelOf(ben, "Council", /minutes/).waitFor({ state: "detached" });
    await ben.page.getByRole("heading", { name: "Channel not found" }).waitFor();
    await ben.page.getByRole("button", { name: "Go to first channel" }).click();
    await ben.say("Down in the hall");
    await ada.sees("Down in the hall");
  });

  it("DI8 two moderators do not overwrite each other's changes unnoticed", async () => {
    const laptop = await devices.device("laptop");
    const lena = await laptop.open("/register");
    await lena.register("lena");
    await ada.go("/");
    await ada.createRoom("Guild");
    await lena.findAndJoin("Guild");
    await showMembers(ada);
    await chooseForMember(ada, "lena", "Make moderator");
    await shows(ada, "lena is a moderator now.");
    const hers = await openSettings(lena, "Guild", "Overview");
    await hers.getByLabel("Tags").fill("trade");

    const his = await openSettings(ada, "Guild", "Overview");
    await his.getByLabel("Description").fill("For all who make things");
    await saveSettings(his);
    // She sees his change and saves only her own.
    await hers.getByText("For all who make things").waitFor();
    laptop.line.deafen();
    const again = await openSettings(ada, "Guild", "Overview");
    await again.getByLabel("Description").fill("For all who mend things");
    await saveSettings(again);
    await hers.getByRole("button", { name: "Save" }).click();
    await hers.getByText(/^Someone else changed the server in the meantime/u).waitFor();
    await hers.getByText("For all who mend things").waitFor();
    expect(await hers.getByLabel("Tags").inputValue()).toBe("trade");
    await saveSettings(hers);
    const now = await openSettings(ada, "Guild", "Overview");
    expect(await now.getByLabel("Tags").inputValue()).toBe("trade");
    expect(await now.getByLabel("Description").inputValue()).toBe("For all who mend things");
    await close(now);
  });

  it("DI7 a removed or banned user is out at once and told why, and may rejoin after the ban is lifted", async () => {
    await ben.findAndJoin("Guild");
    await cara.findAndJoin("Guild");
    await ada.enterRoom("Guild");
    await memberRow(ada, "cara").waitFor();
    await chooseForMember(ada, "ben", "Remove from server");
    await ada.page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await heading(ben, "You were removed from Guild.").waitFor();
    await ben.inRail("Guild").waitFor({ state: "detached" });
    await memberRow(ada, "ben").waitFor({ state: "detached" });
    await ben.findAndJoin("Guild");

    await chooseForMember(ada, "cara", "Ban…");
    const ban = ada.page.getByRole("dialog", { name: "Ban cara?" });
    await ban.getByLabel("Reason").fill("Sawdust in the tea");
    await ban.getByRole("radio", { name: "1 day" }).click();
    await ban.getByRole("button", { name: "Ban", exact: true }).click();
    await heading(cara, "You were banned from Guild.").waitFor();
    await cara.button("Go to Home").click();
    await cara.atHome();
    await cara.inRail("Guild").waitFor({ state: "detached" });
    await cara.go("/directory");
    await cara.page.getByLabel("Search by name, topic or tag").fill("Guild");
    await cara.button("Join Guild").first().click();
    await cara.page
      .getByRole("alert")
      .filter({ hasText: /banned/iu })
      .waitFor();

    const bans = await openSettings(ada, "Guild", "Bans");
    await bans.getByText("Reason: Sawdust in the tea").waitFor();
    await bans.getByRole("button", { name: "Lift the ban on cara" }).click();
    await bans.getByText("Nobody is banned.").waitFor();
    await close(bans);
    await cara.findAndJoin("Guild");
    await cara.say("No more sawdust");
    await ada.sees("No more sawdust");
  });

  it("an owner cannot leave but can transfer the server; the owner deletes it for everybody", async () => {
    await ada.chooseForRoom("Guild", "Leave server");
    const leaving = ada.page.getByRole("dialog", { name: "Leave Guild?" });
    await leaving.getByText(/^You own this server/u).waitFor();
    await close(leaving);
    await chooseForMember(ada, "ben", "Transfer ownership");
    await ada.page.getByRole("alertdialog").getByRole("button", { name: "Transfer ownership" }).click();
    await shows(ada, "ben is the owner now.");
    const dialog = await openSettings(ben, "Guild", "Ownership");
    await dialog.getByLabel("Type Guild to confirm").fill("Guild");
    await dialog.getByRole("button", { name: "Delete server" }).click();
    for (const tab of [ada, cara]) {
      await heading(tab, "Guild was deleted.").waitFor();
      await tab.inRail("Guild").waitFor({ state: "detached" });
    }
    await ada.go("/");
    await cara.go("/");
  });

  it("the keyboard reaches servers, channels, members, help and settings", async () => {
    const { keyboard } = ada.page;
    await ada.go("/");
    await ada.atHome();
    await keyboard.press("Control+k");
    const switcher = ada.page.getByRole("dialog", { name: "Jump to" });
    await keyboard.type("counc");
    await switcher
      .getByRole("option", { name: /^Council/ })
      .first()
      .waitFor();
    await keyboard.press("Enter");
    await ada.inRoom("Council");
    await addChannel(ada, "Council", "annex");
    await ada.composer.focus();
    await keyboard.press("Alt+ArrowDown");
    await ada.page.getByRole("heading", { level: 1, name: "annex" }).waitFor();
    await keyboard.press("Alt+ArrowUp");
    await ada.page.getByRole("heading", { level: 1, name: "hall" }).waitFor();
    await keyboard.press("Control+1");
    await ada.inRoom("Bakers of the quay");
    await keyboard.press("Control+2");
    await ada.inRoom("Council");
    const aside = ada.page.getByRole("complementary", { name: "Members" });
    const wasOpen = await aside.isVisible();
    await keyboard.press("Control+u");
    await aside.waitFor({ state: wasOpen ? "detached" : "visible" });
    await keyboard.press("Control+/");
    const help = ada.page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Show keyboard shortcuts").waitFor();
    await keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await keyboard.press("Control+,");
    await heading(ada, /Account/u).waitFor();
  });
});
