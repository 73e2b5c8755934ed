import { beforeAll, expect, it, jest } from "@jest/globals";
import type { Page } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { addSignalServer, heading, hostOf, joinListed } from "../../src/web/account-pages.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import { violationsOf } from "../../src/web/accessibility.ts";
import { chooseForMember, memberRow, showMembers } from "../../src/web/members.ts";
import { createPublicServer } from "../../src/web/public-server.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const ROOM = "Harbour";

/** Blocks writing until it is repaired. */
const BREAK_STORAGE = `{
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = () => { throw new DOMException("Full", "QuotaExceededError"); };
  globalThis.mendStorage = () => { IDBObjectStore.prototype.put = put; };
}`;

inChromium("accessibility of passing states", () => {
  const world = worldForTests(2);
  let ada: Tab;
  let ben: Tab;
  let page: Page;

  /** Colours in transition are not checked. */
  async function somebody(name: string): Promise<Tab> {
    const tab = await (await world.device({ reducedMotion: "reduce" })).open("/register");
    await tab.register(name);
    return tab;
  }

  beforeAll(async () => {
    ada = await somebody("ada");
    await ada.createRoom(ROOM);
    ben = await somebody("ben");
    await ben.findAndJoin(ROOM);
    ({ page } = ada);
  }, 60_000);

  const clean = async (what: string, ...apart: readonly string[]): Promise<void> =>
    expect([what, ...(await violationsOf(page, ...apart))]).toEqual([what]);

  it("axe finds nothing in the emoji picker, a member's and a server's menu, and the invite dialog", async () => {
    const { keyboard } = page;
    await ada.button("Emoji").click();
    await page
      .getByRole("menuitem", { name: /grinning face/ })
      .first()
      .waitFor();
    await clean("emoji");
    await keyboard.press("Escape");
    await showMembers(ada);
    await ada.button("Menu for ben").click();
    await page.getByRole("menu").waitFor();
    // Menus are outside of landmarks.
    await clean("member menu", "region");
    await keyboard.press("Escape");
    await ada.button(`Menu for ${ROOM}`).click();
    await page.getByRole("menu").waitFor();
    await clean("room menu", "region");
    await keyboard.press("Escape");
    await ada.chooseForRoom(ROOM, "Invite people");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("code").waitFor();
    await clean("invite");
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("axe finds nothing while the device is offline", async () => {
    await page.context().setOffline(true);
    await page.getByText("This device is offline.").waitFor();
    await clean("offline");
    await page.context().setOffline(false);
    await page.getByText("This device is offline.").waitFor({ state: "detached" });
  });

  it("axe finds nothing where another instance needs a sign-in", async () => {
    const { url } = world.server(1);
    await createPublicServer(url, "Mole");
    await addSignalServer(ada, url);
    await joinListed(ada, "Mole");
    await ada.go("/settings/servers");
    await ada.button(`Sign out of ${hostOf(url)}`).click();
    await page.getByText("Needs sign-in").waitFor();
    await ada.go("/");
    await ada.inRail("Mole").click();
    await ada.button("Sign in again").first().waitFor();
    await clean("sign-in");
  });

  it("a notice says that storage is full until it works again, and all else keeps working", async () => {
    await ada.go("/");
    await ada.enterRoom(ROOM);
    const notice = page.getByRole("region", { name: "Storage on this device" });
    await page.evaluate(BREAK_STORAGE);
    await ada.composer.fill("half a");
    await notice.getByText("This device has no space left").waitFor();
    await clean("storage");
    await page.evaluate("mendStorage()");
    await ada.composer.fill("half a word");
    await notice.waitFor({ state: "detached" });
    await ada.composer.press("Enter");
    await ben.sees("half a word");
  });

  it("an open server that disappears says why, keeps the focus and stays until the user leaves", async () => {
    await ben.enterRoom(ROOM);
    await ben.composer.fill("I was about to");
    await chooseForMember(ada, "ben", "Remove from server");
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    const title = heading(ben, `You were removed from ${ROOM}.`);
    // Further keys must not go anywhere else.
    await title.and(ben.page.locator(":focus")).waitFor();
    expect(await violationsOf(ben.page)).toEqual([]);
    await memberRow(ada, "ben").waitFor({ state: "detached" });
    await title.waitFor();
    await ben.page.keyboard.press("Tab");
    await ben.page.keyboard.press("Enter");
    await heading(ben, "Welcome to Hearth").waitFor();
    await ben.page.goBack();
    await heading(ben, "You are not a member of this server").waitFor();
  });
});
