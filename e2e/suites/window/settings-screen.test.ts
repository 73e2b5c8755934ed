import { describe, expect, it, jest } from "@jest/globals";
import type { Page } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import {
  button,
  changesOf,
  copied,
  expectFocus,
  focused,
  hasFocus,
  said,
  toggle,
} from "../../src/settings-screen/controls.ts";
import { on, servers, tokenOf, tokensAt } from "../../src/settings-screen/devices.ts";
import type { DeviceScenario } from "../../src/settings-screen/devices.ts";
import { windowsForTests } from "../../src/settings-screen/for-tests.ts";
import { initialScriptBytes } from "../../src/settings-screen/initial-script.ts";
import { jsonOfLogin } from "../../src/settings-screen/login-command.ts";
import { focusStop, issueToken } from "../../src/settings-screen/settings-window.ts";

jest.setTimeout(120_000);

inChromium("the settings screen in Chromium", () => {
  const windows = windowsForTests();
  const { windowOf } = windows;

  describe("the build", () => {
    it("keeps the first script within its budget, as a browser loads it", async () => {
      const bytes = await initialScriptBytes(windows.folder);
      expect(bytes).toBeGreaterThan(30_000);
      expect(bytes).toBeLessThan(250_000);
    });

    it("loads under the window's policy without errors, foreign requests and style elements", async () => {
      await using window = await windowOf(on);
      await toggle(window.page, "Local API").waitFor();
      await button(window.page, "Revoke all").waitFor({ state: "detached" });
      expect(await window.page.locator("style").count()).toBe(0);
      expect(window.complaints).toEqual([]);
    });
  });

  describe("without the app behind it", () => {
    it("shows the account instead of the pages that need the app", async () => {
      await using window = await windowOf({}, { isBare: true });
      await window.page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
      const pages = await window.page
        .getByRole("navigation", { name: "Settings" })
        .getByRole("link")
        .allInnerTexts();
      expect(pages).toContain("Devices");
      expect(pages.filter((page) => /Local API|This computer/.test(page))).toEqual([]);
      expect(window.complaints).toEqual([]);
    });

    it("says that the app does not answer, and tries again", async () => {
      await using window = await windowOf({ failing: ["localApi.view"] });
      await window.page.getByRole("alert").filter({ hasText: "The app did not respond." }).waitFor();
      await window.page.evaluate("hearthFake.setScenario({ failing: [] })");
      await button(window.page, "Try again").click();
      await toggle(window.page, "Local API").waitFor();
    });

    it("shows that it is waiting, and gives up after a time", async () => {
      await using window = await windowOf({ silent: ["localApi.view"] }, { isClockHeld: true });
      await window.page.getByText("Loading…").waitFor();
      await window.page.clock.runFor(20_000);
      await window.page.getByText("The app did not respond.").waitFor();
    });
  });

  describe("the allowed servers", () => {
    const field = (page: Page) => page.getByLabel("Address of an instance");

    it("LA5 says that every login is refused until a server is added, and shows it as the app normalised it", async () => {
      await using window = await windowOf({});
      const { page } = window;
      const empty = page.getByText("No instance is allowed yet, so every login is refused.");
      await empty.waitFor();
      await field(page).fill("HTTPS://Chat.Example.org:443/");
      await field(page).press("Enter");
      await said(page, "https://chat.example.org is allowed now.");
      expect(await empty.count()).toBe(0);
      expect(await field(page).inputValue()).toBe("");
      await field(page).fill("http://10.0.0.7:8080");
      await button(page, "Add").click();
      await button(page, "Remove http://10.0.0.7:8080").waitFor();
    });

    it.each([
      ["", "Enter the address of an instance."],
      ["chat.example", "An address must begin with https:// or http://."],
      ["https://chat.example/rooms", "An address must not contain a path; leave out what follows the host."],
      ["https://me:secret@chat.example", "An address must not contain a username or a password."],
      ["https://chat.example.org/", "This instance is already on the list."],
    ])("C9 does not add %j, says why and keeps what was typed", async (typed, message) => {
      await using window = await windowOf(on);
      await field(window.page).fill(typed);
      await button(window.page, "Add").click();
      await window.page.getByText(message, { exact: true }).waitFor();
      expect(await field(window.page).inputValue()).toBe(typed);
      expect(await window.page.getByRole("button", { name: /^Remove/ }).count()).toBe(2);
      await field(window.page).press("x");
      await window.page.getByText(message, { exact: true }).waitFor({ state: "detached" });
    });

    it("drops a removed one and moves the focus to the field", async () => {
      await using window = await windowOf(on);
      const { page } = window;
      await button(page, "Remove https://chat.example.org").press("Enter");
      await said(page, "https://chat.example.org is no longer allowed.");
      expect(await hasFocus(field(page))).toBe(true);
      expect(await page.getByRole("button", { name: /^Remove/ }).count()).toBe(1);
    });
  });

  describe("the tokens", () => {
    const withTokens = (): DeviceScenario => ({ ...on, tokens: tokensAt(Date.now()) });
    const rows = (page: Page) => page.getByRole("table", { name: "Active tokens" }).getByRole("row");

    it("LA6 are listed with user, server, address and time", async () => {
      await using window = await windowOf(withTokens());
      await rows(window.page).nth(1).waitFor();
      const [, first = "", second = "", third = ""] = await rows(window.page).allInnerTexts();
      expect(first).toMatch(/mara[^]*via chat\.example\.org[^]*127\.0\.0\.1[^]*curl\/8\.11\.0/);
      expect(first).toMatch(/2 hours ago[^]*3 minutes ago[^]*in (21|22) hours/);
      expect(second).toContain("Mozilla/5.0");
      expect(third).toMatch(/lighthouse-choir\.example:8443[^]*fe80::9c2a[^]*Unknown program[^]*Never/);
      await window.page.getByText("3 tokens").waitFor();
    });

    it("LA6 are revoked one at a time, and the focus moves to the heading", async () => {
      await using window = await windowOf(withTokens());
      const { page } = window;
      await button(page, "Revoke the token of mara.holgersson from fe80::9c2a:11ff:fe3b:7d10").press("Enter");
      await said(page, "The token is revoked.");
      expect(await rows(page).count()).toBe(3);
      expect(await focused(page)).toBe("Active tokens");
      expect(await changesOf(window)).toEqual(['localApi.revokeToken "3"']);
    });

    it("LA6 are all revoked after a question, and none on Cancel", async () => {
      await using window = await windowOf(withTokens());
      const { page } = window;
      await button(page, "Revoke all").click();
      await button(page, "Cancel").click();
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      expect(await changesOf(window)).toEqual([]);
      await button(page, "Revoke all").press("Enter");
      await page.getByRole("alertdialog").getByRole("button", { name: "Revoke all" }).click();
      await page.getByText("No program is logged in to the local API.").waitFor();
      await said(page, "All tokens are revoked.");
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      expect(await focused(page)).toBe("Active tokens");
    });

    it("say why one could not be revoked", async () => {
      await using window = await windowOf({ ...withTokens(), failing: ["localApi.revokeToken"] });
      await window.page
        .getByRole("button", { name: /^Revoke the token of mara from/ })
        .first()
        .click();
      await window.page
        .getByRole("alert")
        .filter({ hasText: "The app has hit an error of its own." })
        .waitFor();
    });

    it("LA6 cause a notice on any page when one is issued, until it is dismissed or followed", async () => {
      await using window = await windowOf(on, { path: "settings/about" });
      const { page } = window;
      await page.getByRole("heading", { name: "About" }).waitFor();
      for (const id of ["7", "8"]) await page.evaluate(issueToken, tokenOf(id, `user${id}`, Date.now()));
      await page.getByText("user7 logged in to the local API").waitFor();
      const notice = page.getByRole("dialog").filter({ hasText: "user8 logged in to the local API" });
      await notice.getByRole("button", { name: "Dismiss" }).click();
      await notice.waitFor({ state: "detached" });
      await button(page, "Show tokens").click();
      await page.getByRole("heading", { level: 1, name: "Local API" }).waitFor();
      await expectFocus(page, "Active tokens");
      expect(await rows(page).count()).toBe(3);
      expect(window.complaints).toEqual([]);
    });
  });

  describe("the commands to try", () => {
    it("contain the current address and are copied completely", async () => {
      await using window = await windowOf({ ...on, settings: { ...on.settings, port: 18_123 } });
      const { page } = window;
      await button(page, "Copy the health command").click();
      expect(await copied(page)).toBe("curl http://127.0.0.1:18123/api/health");
      await button(page, "Copy the servers command").press("Space");
      expect(await copied(page)).toContain("http://127.0.0.1:18123/api/rooms");
      await button(page, "Copy the login command").click();
      expect(await copied(page)).toContain("curl -s http://127.0.0.1:18123/api/auth/login");
    });

    it("LA5 build a login body that keeps any password unchanged", async () => {
      await using window = await windowOf(on);
      await button(window.page, "Copy the login command").click();
      const password = String.raw`a "quoted" \ back'slash % $HOME`;
      expect(await jsonOfLogin(await copied(window.page), "mara", password)).toEqual({
        username: "mara",
        password,
        serverUrl: servers[0],
      });
    });

    it("wait until the server listens and a login server is allowed", async () => {
      await using window = await windowOf({});
      await window.page.getByText("Turn on the local API to see commands with its address.").waitFor();
      await toggle(window.page, "Local API").click();
      await window.page.getByText("Add an allowed instance to see the login command.").waitFor();
      expect(await button(window.page, "Copy the login command").count()).toBe(0);
    });
  });

  describe("the general page", () => {
    const path = "settings/general";

    it("switches the automatic start by pointer and by keyboard", async () => {
      await using window = await windowOf({}, { path });
      const name = "Start Hearth when you log in to this computer";
      await toggle(window.page, name).click();
      await window.page.waitForFunction("document.querySelector('[role=switch]').ariaChecked === 'true'");
      await toggle(window.page, name).press("Space");
      await window.page.waitForFunction("document.querySelector('[role=switch]').ariaChecked === 'false'");
      expect(await changesOf(window)).toEqual(["autoStart.set true", "autoStart.set false"]);
    });

    it("says when the operating system refused", async () => {
      await using window = await windowOf({ autoStartRefused: true }, { path });
      await toggle(window.page, "Start Hearth when you log in to this computer").click();
      await window.page.getByText("The operating system did not apply the change.").waitFor();
      expect(await window.page.getByRole("switch").getAttribute("aria-checked")).toBe("false");
    });

    it.each([
      ["protected", "Protected by the operating system"],
      ["session", "Kept only until Hearth quits"],
    ] as const)("says what the level %s means", async (secretLevel, heading) => {
      await using window = await windowOf({ secretLevel }, { path });
      await window.page.getByText(heading).waitFor();
    });

    it("tries again after no answer", async () => {
      await using window = await windowOf({ failing: ["autoStart.get", "secrets.level"] }, { path });
      await window.page.getByText("The app did not respond.").nth(1).waitFor();
      await window.page.evaluate("hearthFake.setScenario({ failing: [] })");
      await button(window.page, "Try again").first().click();
      await button(window.page, "Try again").click();
      await toggle(window.page, "Start Hearth when you log in to this computer").waitFor();
      await window.page.getByText("Protected by the operating system").waitFor();
    });
  });

  describe("the frame", () => {
    it("works by keyboard: skip link, navigation, heading, title", async () => {
      await using window = await windowOf(on);
      const { page } = window;
      await toggle(page, "Local API").waitFor();
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe("Skip to content");
      await page.keyboard.press("Enter");
      expect(await focused(page)).toBe("Local API");
      await page.getByRole("link", { name: "About" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
      await expectFocus(page, "About");
      expect(await page.title()).toBe("About · Hearth");
      expect(await page.getByRole("link", { name: "About" }).getAttribute("aria-current")).toBe("page");
      await page.getByText("0.1.0").waitFor();
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Local API" }).waitFor();
    });

    it("moves every Tab to something visible with a focus mark", async () => {
      await using window = await windowOf({ ...on, tokens: tokensAt(Date.now()) });
      const { page } = window;
      await toggle(page, "Local API").waitFor();
      const stops: string[] = [];
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press("Tab");
        const stop = await focusStop(page);
        if (stop === undefined) break;
        expect(stop).toEqual({ name: stop.name, isVisible: true, hasOutline: true });
        stops.push(stop.name);
      }
      expect(stops).toEqual(expect.arrayContaining(["Skip to content", "Revoke all", "Open documentation"]));
      expect(stops.length).toBeGreaterThan(20);
    });

    it("opens the local API from a link of the app", async () => {
      await using window = await windowOf(on, { path: "settings/about" });
      await window.page.getByRole("heading", { name: "About" }).waitFor();
      await window.page.evaluate("hearthFake.openLink({ page: 'local-api' })");
      await window.page.getByRole("heading", { level: 1, name: "Local API" }).waitFor();
    });
  });
});
