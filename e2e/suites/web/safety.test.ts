import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, it, jest } from "@jest/globals";
import type { Locator } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { arrivesAt, enter, heading, shows } from "../../src/web/account-pages.ts";
import { accountOf, newcomer } from "../../src/web/users.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { violationsOf } from "../../src/web/accessibility.ts";
import { chooseForMember, memberRow, showMembers } from "../../src/web/members.ts";
import { Operator } from "../../src/web/operator.ts";
import { openSettings } from "../../src/web/room-pages.ts";
import { PASSWORD, Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const dialogOf = (tab: Tab, name: string | RegExp): Locator => tab.page.getByRole("dialog", { name });

const looksRight = async (tab: Tab): Promise<void> => {
  // Colours in transition are not checked.
  await tab.page.emulateMedia({ reducedMotion: "reduce" });
  expect(await violationsOf(tab.page)).toEqual([]);
};

inChromium("an instance with registration by invitation", () => {
  const world = worldForTests(2, { env: { REGISTRATION: "invite" } });

  it("AB11 asks for an invitation, and an invitation link fills it in", async () => {
    using operator = new Operator(world.home);
    const tab = await (await world.device()).open("/register");
    await tab.page.getByLabel("Invitation").waitFor();
    await enter(tab, "Create account", "ines", PASSWORD);
    await shows(tab, "Enter the invitation that the operator of this instance gave you.");
    await tab.page.getByLabel("Invitation").fill("this-is-no-invitation");
    await tab.button("Create account").click();
    await shows(tab, /^This invitation does not work/u);
    await looksRight(tab);
    const code = operator.invite();
    await tab.go(`/register?invitation=${code}`);
    expect(await tab.page.getByLabel("Invitation").inputValue()).toBe(code);
    await enter(tab, "Create account", "ines", PASSWORD);
    await tab.atHome();
    const late = await (await world.device()).open(`/register?invitation=${code}`);
    await enter(late, "Create account", "otto", PASSWORD);
    await shows(late, /^This invitation does not work/u);
  });

  it("AB11 the operator's link sets a new password once", async () => {
    using operator = new Operator(world.home);
    const tab = await (await world.device()).open(`/register?invitation=${operator.invite()}`);
    await enter(tab, "Create account", "rosa", PASSWORD);
    await tab.atHome();
    const code = operator.reset((await accountOf(tab)).id);
    const fresh = await (await world.device()).open(`/reset?code=${code}`);
    await fresh.page.getByLabel("New password").fill("password1");
    await fresh.button("Set password and sign in").click();
    await shows(fresh, /^This password is too easy to guess/u);
    await looksRight(fresh);
    await fresh.page.getByLabel("New password").fill("an-entirely new secret");
    await fresh.button("Set password and sign in").click();
    await fresh.atHome();
    await heading(tab, "Welcome back").waitFor();
    const again = await (await world.device()).open(`/reset?code=${code}`);
    await again.page.getByLabel("New password").fill("a third, just as long");
    await again.button("Set password and sign in").click();
    await shows(again, /^This link no longer works/u);
  });
});

inChromium("an instance with closed registration", () => {
  const world = worldForTests(1, { env: { REGISTRATION: "closed" } });

  it("AB11 says so on the sign-up page", async () => {
    const tab = await (await world.device()).open("/register");
    await shows(tab, "Registration is closed on this instance");
    await looksRight(tab);
    await tab.page.getByRole("link", { name: "Sign in" }).click();
    await arrivesAt(tab, "/login");
  });
});

inChromium("protection from other users", () => {
  const world = worldForTests();
  let ada: Tab;
  let mallory: Tab;

  beforeAll(async () => {
    ada = await newcomer(world, "ada");
    await ada.createRoom("Reading room");
    mallory = await (await world.device()).open("/register");
    await mallory.register("mallory", { displayName: "Mallory M" });
    await mallory.findAndJoin("Reading room");
  }, 120_000);

  it("AB13 shows how strong a new password is, and refuses a common one", async () => {
    const tab = await (await world.device()).open("/register");
    const password = tab.page.getByLabel("Password", { exact: true });
    await tab.page.getByLabel("Username").fill("walter");
    await password.fill("walter1");
    await shows(tab, "Too short, or too much like your username");
    await password.fill("correct horse battery staple");
    await shows(tab, "Strong");
    await password.fill("iloveyou1");
    await tab.button("Create account").click();
    await shows(tab, /^This password is too easy to guess/u);
    await looksRight(tab);
  });

  it("AB8 distinguishes users whose names look alike", async () => {
    const twin = await (await world.device()).open("/register");
    await twin.register("mallory2", { displayName: "Mаllory М" });
    await twin.findAndJoin("Reading room");
    await twin.say("I am the other one");
    await ada.message("I am the other one").getByText("@mallory2").waitFor();
    await showMembers(ada);
    await memberRow(ada, "@mallory2").waitFor();
    expect(await memberRow(ada, "ada (you)").getByText("@ada").count()).toBe(0);
    await ada.composer.fill("@mall");
    await ada.page.getByRole("option").filter({ hasText: "@mallory2" }).waitFor();
    await looksRight(ada);
    await ada.composer.fill("");
    await twin.leaveRoom("Reading room");
  });

  it("AB12 collapses a blocked user's messages until they are unblocked", async () => {
    await mallory.say("Buy my tonic");
    await ada.sees("Buy my tonic");
    await ada.chooseFor("Buy my tonic", "Block");
    await shows(ada, /^Mallory M is blocked/u);
    const folded = ada.message("Message from a blocked user");
    await folded.waitFor();
    await mallory.say("And another bottle");
    await folded.nth(1).waitFor();
    expect(await ada.count("tonic")).toBe(0);
    await looksRight(ada);
    await ada.page.reload();
    await folded.nth(1).waitFor();
    await folded.first().getByRole("button", { name: "Show the message from Mallory M" }).click();
    await ada.sees("Buy my tonic");
    await ada.go("/settings/account");
    await heading(ada, "Account").waitFor();
    await looksRight(ada);
    await ada.button("Unblock Mallory M").click();
    await shows(ada, "You have not blocked anyone.");
    await ada.go("/");
    await ada.enterRoom("Reading room");
    await ada.sees("And another bottle");
  });

  it("AB12 a blocked user's messages are not counted, found or notified, in any tab or on any device", async () => {
    const other = new Tab(await ada.page.context().newPage(), ada.origin);
    await other.go("/");
    await other.atHome();
    const phone = await (await world.device()).open("/login");
    await phone.signIn("ada");
    for (const tab of [other, phone]) await tab.go("/settings/account");
    await ada.chooseFor("And another bottle", "Block");
    for (const tab of [other, phone]) await tab.button("Unblock Mallory M").waitFor();
    await ada.button("Search messages").click();
    const search = ada.page.getByRole("search", { name: "Search messages" });
    await search.getByLabel("Search messages by text").fill("bottle");
    await search.getByText("No messages found", { exact: true }).waitFor();
    await search.getByText("All servers", { exact: true }).click();
    await search.getByText("No messages found", { exact: true }).waitFor();
    await ada.go("/settings/account");
    await ada.button("Unblock Mallory M").waitFor();
    for (const tab of [other, phone]) {
      await tab.go("/");
      await tab.inRail("Reading room").waitFor();
    }
    await mallory.say("@ada take the third bottle");
    await mallory.sees("take the third bottle");
    // It has arrived by now, as the next message shows.
    await setTimeout(2_000);
    for (const tab of [other, phone]) {
      expect(await tab.inRail(/^Reading room, /u).count()).toBe(0);
      expect(await tab.page.title()).not.toMatch(/^\(/u);
    }
    await ada.button("Unblock Mallory M").click();
    for (const tab of [other, phone]) await tab.inRail(/^Reading room, /u).waitFor();
    await other.page.close();
    await ada.go("/");
    await ada.enterRoom("Reading room");
  });

  it("AB12 reports a user, with the message text if the reporter wants", async () => {
    using operator = new Operator(world.home);
    const { id } = await accountOf(mallory);
    await ada.chooseFor("Buy my tonic", "Report…");
    let dialog = dialogOf(ada, "Report Mallory M?");
    await dialog.getByText("Buy my tonic").waitFor();
    await looksRight(ada);
    await dialog.getByRole("radio", { name: "Spam or advertising" }).click();
    await dialog.getByRole("button", { name: "Send report" }).click();
    await shows(ada, "Your report was sent to the operator.");
    await chooseForMember(ada, "Mallory M", "Report…");
    dialog = dialogOf(ada, "Report Mallory M?");
    await dialog.getByRole("radio", { name: "Something else" }).click();
    await dialog.getByRole("button", { name: "Send report" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(operator.reportsOf(id)).toEqual([
      { reason: "spam", quotedText: "Buy my tonic" },
      { reason: "other", quotedText: null },
    ]);
  });

  it("AB9 lists a server's invites for its owner, who can revoke them", async () => {
    await mallory.chooseForRoom("Reading room", "Invite people");
    const making = dialogOf(mallory, "Invite people to Reading room");
    await making.getByRole("button", { name: "Create link" }).click();
    const code = (await making.getByRole("code").textContent()) ?? "";
    await making.getByRole("button", { name: "Close" }).click();
    const dialog = await openSettings(ada, "Reading room", "Invites");
    const row = dialog.getByRole("listitem").filter({ hasText: code });
    await row.getByText(/created by Mallory M/u).waitFor();
    await looksRight(ada);
    await row.getByRole("button", { name: `Revoke the link ${code}` }).click();
    await row.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Close" }).click();
    await mallory.go(`/invite/${code}`);
    await heading(mallory, "This invite no longer works").waitFor();
  });

  it("AB11 notifies the other devices of a sign-in", async () => {
    const second = await (await world.device()).open("/login");
    await second.signIn("ada");
    await shows(ada, /signed in to your account just now\.$/u);
    await looksRight(ada);
    await ada.button("Review").click();
    const row = ada.page.getByRole("listitem").filter({ hasText: "If it was not you" });
    await row.waitFor();
    await looksRight(ada);
    await row.getByRole("button", { name: /^Sign out/u }).click();
    await heading(second, "Welcome back").waitFor();
  });

  it("AB12 exports an account's data from the instance as a file", async () => {
    await ada.go("/settings/account");
    const downloading = ada.page.waitForEvent("download");
    await ada.button("Download my data").click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("hearth-ada.json");
    const known: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(known).toMatchObject({ account: {}, discovery: {} });
    expect(JSON.stringify(known)).toContain("ada");
  });

  it("AB12 deletes an account after its password, with its data on this device", async () => {
    await mallory.go("/");
    await mallory.enterRoom("Reading room");
    await ada.go("/settings/account");
    await ada.button("Delete account…").click();
    const dialog = dialogOf(ada, "Delete the account ada?");
    await dialog.getByText("You own Reading room. What should happen to it?").waitFor();
    await dialog.getByLabel("Your password").fill("not my password");
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    await dialog.getByText("This is not your password.").waitFor();
    await looksRight(ada);
    await dialog.getByRole("radio", { name: /^Delete The server is deleted/u }).click();
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Delete my account" }).click();
    await heading(ada, "Welcome back").waitFor();
    await enter(ada, "Sign in", "ada", PASSWORD);
    await shows(ada, "The username or password is not correct.");
    await shows(mallory, "Reading room was deleted.");
  });
});
