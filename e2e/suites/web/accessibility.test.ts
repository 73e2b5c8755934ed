import { beforeAll, expect, it, jest } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { PAINTED, PHONE } from "../../src/web/camera.ts";
import { worldForTests } from "../../src/web/for-tests.ts";
import {
  Keyboard,
  columnsOf,
  cutTexts,
  excessWidth,
  longestMotion,
  outlinesOfCurrent,
  violationsOf,
} from "../../src/web/accessibility.ts";
import type { Tab } from "../../src/web/tab.ts";

jest.setTimeout(120_000);

const ROOM = "Quiet corner";
const SETTINGS = ["account", "devices", "servers", "appearance", "notifications", "keyboard", "about"];

/** A zoom of 200 % of a common window, and a narrow phone. */
const SIZES = [{ width: 640, height: 400 }, PHONE];

const CODE = "```js\nconst forecast = await fetch(`https://weather.example.org/${place}?days=${days}`);\n```";

const title = (page: Page): Promise<void> => page.getByRole("heading", { level: 1 }).first().waitFor();

async function expectInside(page: Page, part: Locator): Promise<void> {
  const box = await part.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const { x = -1, y = -1, width: across = Infinity, height: down = Infinity } = box ?? {};
  expect([x >= 0, y >= 0, x + across <= width, y + down <= height]).toEqual([true, true, true, true]);
}

inChromium("accessibility of the client", () => {
  const world = worldForTests();

  /** The owner of a server with messages, and another member. */
  let ada: Tab;
  let ben: Tab;
  let room: string;

  beforeAll(async () => {
    ada = await (await world.device({ reducedMotion: "reduce" })).open("/register");
    await ada.register("ada", { displayName: "Ada Lovelace-Byron of the long names" });
    await ada.createRoom(ROOM);
    ben = await (await world.device()).open("/register");
    await ben.register("ben");
    await ben.findAndJoin(ROOM);
    await ada.say(`Look at this, it took **all** of the afternoon:\n\n${CODE}`);
    await ben.sees("all of the afternoon");
    await ben.answer("all of the afternoon", "- nice\n- [and here](https://example.org/a) it is `raining`");
    await ben.react("all of the afternoon", "👍");
    await ada.sees("nice");
    room = new URL(ada.page.url()).pathname;
  }, 150_000);

  /** Opens an address in the owner's tab; the next test may start anywhere. */
  async function at(path: string): Promise<Page> {
    await ada.page.setViewportSize({ width: 1280, height: 800 });
    await ada.go(path);
    await title(ada.page);
    if (path === room) await ada.sees("all of the afternoon");
    return ada.page;
  }

  it("axe finds nothing on the pages to sign in, to sign up and of an expired invite", async () => {
    const { page } = await (await world.device({ reducedMotion: "reduce" })).open("/login");
    for (const path of ["/login", "/register", "/invite/abcdefgh23"]) {
      await page.goto(new URL(path, world.home.url).href);
      await title(page);
      expect([path, ...(await violationsOf(page))]).toEqual([path]);
    }
  });

  it("axe finds nothing at home, in a server, in the directory and when authorizing another instance", async () => {
    const authorize = `/login?mode=authorize&serverId=${encodeURIComponent("http://127.0.0.1:9")}`;
    for (const path of ["/", room, "/directory", authorize]) {
      const page = await at(path);
      expect([path, ...(await violationsOf(page))]).toEqual([path]);
    }
  });

  it("axe finds nothing in the settings", async () => {
    for (const name of SETTINGS) {
      const page = await at(`/settings/${name}`);
      expect([name, ...(await violationsOf(page))]).toEqual([name]);
    }
  });

  it("axe finds nothing in the dialogs and menus of a server", async () => {
    const page = await at(room);
    const { keyboard } = page;
    const clean = async (what: string): Promise<void> =>
      expect([what, ...(await violationsOf(page))]).toEqual([what]);
    await ada.button("Search messages").click();
    await page.getByLabel("Search messages by text").fill("after");
    await page.getByText("1 message", { exact: true }).waitFor();
    await clean("search");
    await ada.button("Close search").click();
    await keyboard.press("Control+k");
    await page.getByRole("combobox").fill("q");
    await page.getByRole("option").first().waitFor();
    await clean("switcher");
    await keyboard.press("Escape");
    await keyboard.press("Control+/");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await clean("shortcuts");
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await ada.message("nice").click({ button: "right", position: { x: 4, y: 4 } });
    await page.getByRole("menu").waitFor();
    // Menus are outside of landmarks.
    expect(await violationsOf(page, "region")).toEqual([]);
    await keyboard.press("Escape");
    await ada.button("Menu for ben").click();
    await page.getByRole("menuitem", { name: "Ban…" }).click();
    await page.getByRole("dialog").waitFor();
    await clean("ban");
  });

  it("axe finds nothing in a server's settings and when creating one", async () => {
    const page = await at(room);
    await ada.chooseForRoom(ROOM, "Server settings");
    for (const name of ["Overview", "Channels", "Requests", "Bans", "Invites", "Ownership"]) {
      await page.getByRole("tab", { name }).click();
      await page.getByRole("tab", { name, selected: true }).waitFor();
      expect([name, ...(await violationsOf(page))]).toEqual([name]);
    }
    await at("/");
    await ada.button("Create server").first().click();
    await page.getByRole("dialog").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it("at 200 % zoom and 360 px nothing scrolls sideways or is cut off, and the composer is visible", async () => {
    for (const path of ["/", room, "/directory", ...SETTINGS.map((name) => `/settings/${name}`)]) {
      const page = await at(path);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.evaluate(PAINTED);
        const told = [path, size.width, await excessWidth(page), ...(await cutTexts(page))];
        expect(told).toEqual([path, size.width, 0]);
      }
      if (path !== room) continue;
      await page.setViewportSize(PHONE);
      await expectInside(page, ada.composer);
      await ada.button("Show members").click();
      await page.getByRole("heading", { name: "Members" }).waitFor();
      expect([await excessWidth(page), ...(await violationsOf(page))]).toEqual([0]);
      await page.goBack();
    }
  });

  it("in right-to-left languages the rail is on the right and no columns overlap", async () => {
    const page = await at(room);
    await page.evaluate('document.documentElement.dir = "rtl"');
    await page.evaluate(PAINTED);
    const [main = 0, mainEnd = 0, list = 0, listEnd = 0, rail = 0, railEnd = 0] = await columnsOf(
      page.getByRole("main"),
      page.getByRole("navigation", { name: `Channels of ${ROOM}` }),
      page.getByRole("navigation", { name: "Servers" }),
    );
    expect([main < mainEnd, mainEnd <= list, listEnd <= rail, railEnd]).toEqual([true, true, true, 1280]);
    const [aside = 0, asideEnd = 0] = await columnsOf(page.getByRole("complementary", { name: "Members" }));
    expect([aside, asideEnd <= main]).toEqual([0, true]);
    expect([await excessWidth(page), ...(await violationsOf(page))]).toEqual([0]);
  });

  it("forced colours outline the current page; reduced motion stops all motion", async () => {
    const page = await at(room);
    expect(await longestMotion(page)).toBeLessThan(0.001);
    await page.emulateMedia({ forcedColors: "active" });
    expect(await outlinesOfCurrent(page)).toEqual(["solid", "solid"]);
    const keys = new Keyboard(page);
    await keys.goTo(ada.composer);
    expect(keys.unseen).toEqual([]);
    await page.emulateMedia({ forcedColors: "none" });
    await ben.page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await longestMotion(ben.page)).toBeGreaterThan(0.1);
  });

  it("starting, writing, replying and navigating work by keyboard, with a visible focus at every stop", async () => {
    const { page } = await (await world.device({ reducedMotion: "reduce" })).open("/register");
    const keys = new Keyboard(page);
    const message = page.getByRole("textbox", { name: "Message", exact: true });
    await keys.arrivesOn(page.getByLabel("Username"));
    await keys.type("grace");
    await keys.goTo(page.getByLabel("Password", { exact: true }));
    await keys.type("a whole row of words");
    await keys.press("Enter");
    await title(page);
    await keys.goTo(page.getByRole("main").getByRole("button", { name: "Create server" }));
    await keys.press("Enter");
    await keys.arrivesOn(page.getByRole("dialog").getByLabel("Name"));
    await keys.type("By hand");
    await keys.press("Enter");
    await keys.reach(message);
    await keys.type("The first words");
    await keys.press("Enter");
    const first = page.getByRole("article").filter({ hasText: "The first words" }).first();
    await keys.goTo(first, "Shift+Tab");
    await keys.press("Enter");
    await keys.goTo(page.getByRole("menuitem", { name: "React with 👍" }), "ArrowDown");
    await keys.press("Enter");
    await page.getByRole("button", { name: /^👍, 1 reaction/ }).waitFor();
    await keys.arrivesOn(first);
    await keys.press("Enter");
    await keys.goTo(page.getByRole("menuitem", { name: "Reply" }), "ArrowDown");
    await keys.press("Enter");
    await keys.arrivesOn(message);
    await keys.type("and an answer");
    await keys.press("Enter");
    await page.getByRole("article").filter({ hasText: "and an answer" }).waitFor();
    await keys.press("Control+k");
    await keys.arrivesOn(page.getByRole("combobox"));
    await keys.type("hand");
    await page
      .getByRole("option", { name: /By hand/ })
      .first()
      .waitFor();
    await keys.press("Enter");
    await keys.reach(message);
    await keys.press("Control+,");
    await title(page);
    await keys.goTo(page.getByRole("link", { name: "Appearance" }));
    await keys.press("Enter");
    await keys.arrivesOn(page.getByRole("heading", { level: 1, name: "Appearance" }));
    await keys.goTo(page.getByRole("link", { name: "Back to chat" }), "Shift+Tab");
    await keys.press("Enter");
    await page.getByRole("navigation", { name: "Servers" }).waitFor();
    expect(keys.unseen).toEqual([]);
  });

  it("a screen reader gets the page's landmarks, each message's author and new messages", async () => {
    const page = await at(room);
    for (const [role, name] of [
      ["navigation", "Servers"],
      ["navigation", `Channels of ${ROOM}`],
      ["complementary", "Members"],
      ["log", "Messages in general"],
    ] as const)
      expect([name, await page.getByRole(role, { name, exact: true }).count()]).toEqual([name, 1]);
    expect(await page.getByRole("main").count()).toBe(1);
    expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual(["general"]);
    expect(await page.title()).toContain("#general");
    await page.getByRole("article", { name: /^ben.+nice/s }).waitFor();
    expect(await page.getByRole("log").getAttribute("aria-live")).toBe("off");
    await ben.say("Is anybody listening?");
    await page
      .getByRole("status")
      .filter({ hasText: "ben: Is anybody listening?" })
      .waitFor({ state: "attached" });
    await ada.sees("Is anybody listening?");
  });
});
