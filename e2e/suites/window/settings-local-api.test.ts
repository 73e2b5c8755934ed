import { describe, expect, it, jest } from "@jest/globals";
import type { Page } from "playwright-core";
import { inChromium } from "../../src/browser/for-tests.ts";
import { button, changesOf, copied, hasFocus, said, toggle } from "../../src/settings-screen/controls.ts";
import { on } from "../../src/settings-screen/devices.ts";
import type { DeviceScenario } from "../../src/settings-screen/devices.ts";
import { windowsForTests } from "../../src/settings-screen/for-tests.ts";

jest.setTimeout(120_000);

inChromium("the settings of the local API in Chromium", () => {
  const { windowOf } = windowsForTests();

  describe("the master switch", () => {
    it("LA8 starts and stops the server by pointer; the current address appears and disappears", async () => {
      await using window = await windowOf({ latency: 30 });
      const { page } = window;
      await page.getByText("There is no address while it is off.").waitFor();
      await toggle(page, "Local API").click();
      await said(page, "The local API is on at http://127.0.0.1:17878.");
      await page.getByRole("listitem").getByText("http://127.0.0.1:17878", { exact: true }).waitFor();
      expect(await toggle(page, "Local API").getAttribute("aria-checked")).toBe("true");
      await page.getByText("Local API", { exact: true }).last().click();
      await said(page, "The local API is off.");
      expect(await changesOf(window)).toEqual([
        'localApi.change {"enabled":true}',
        'localApi.change {"enabled":false}',
      ]);
    });

    it("works by keyboard, keeps the focus while the app is busy, and ignores a second key press meanwhile", async () => {
      await using window = await windowOf({ latency: 300 });
      const { page } = window;
      await toggle(page, "Local API").focus();
      await page.keyboard.press("Space");
      await page.keyboard.press("Space");
      expect(await toggle(page, "Local API").getAttribute("aria-checked")).toBe("false");
      await said(page, "The local API is on");
      expect(await hasFocus(toggle(page, "Local API"))).toBe(true);
      expect(await changesOf(window)).toEqual(['localApi.change {"enabled":true}']);
    });

    it("shows why the app refused, next to the switch", async () => {
      await using window = await windowOf({ failing: ["localApi.change"] });
      await toggle(window.page, "Local API").click();
      await window.page.getByText("The app has hit an error of its own.").waitFor();
      expect(await toggle(window.page, "Local API").getAttribute("aria-checked")).toBe("false");
    });

    it("copies the current address", async () => {
      await using window = await windowOf(on);
      await button(window.page, "Copy http://127.0.0.1:17878").click();
      expect(await copied(window.page)).toBe("http://127.0.0.1:17878");
      await said(window.page, "Copied");
    });

    it("says so when nothing could be copied", async () => {
      await using window = await windowOf(on);
      await window.page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
      await button(window.page, "Copy http://127.0.0.1:17878").press("Enter");
      await window.page.getByText("Could not copy. Select the text instead.").first().waitFor();
    });
  });

  describe("a port in use", () => {
    const taken: DeviceScenario = { ...on, takenPorts: [17_878, 17_879] };

    it("LA8 is reported with a suggested port, which is used only when chosen", async () => {
      await using window = await windowOf(taken);
      const { page } = window;
      await page
        .getByText("Port 17878 is in use by another program. Choose another one, or end that program.")
        .waitFor();
      expect(await changesOf(window)).toEqual([]);
      await button(page, "Use port 17879").click();
      await page
        .getByText("Port 17879 is in use by another program. Choose another one, or end that program.", {
          exact: true,
        })
        .waitFor();
      await button(page, "Use port 17880").press("Enter");
      await said(page, "The local API is on at http://127.0.0.1:17880.");
      expect(await page.getByLabel("Port", { exact: true }).inputValue()).toBe("17880");
    });

    it("LA8 disappears when the port is free and the user tries again", async () => {
      await using window = await windowOf(taken);
      await window.page.evaluate("hearthFake.setScenario({ takenPorts: [] })");
      await button(window.page, "Try again").click();
      await said(window.page, "The local API is on at http://127.0.0.1:17878.");
      expect(await window.page.getByText("is in use").count()).toBe(0);
    });
  });

  describe("the port", () => {
    it("LA8 is applied on Enter, not while typing", async () => {
      await using window = await windowOf(on);
      const field = window.page.getByLabel("Port", { exact: true });
      await field.fill("18000");
      await field.blur();
      expect(await changesOf(window)).toEqual([]);
      await field.press("Enter");
      await said(window.page, "The local API is on at http://127.0.0.1:18000.");
      expect(await changesOf(window)).toEqual(['localApi.change {"port":18000}']);
      expect(await button(window.page, "Apply").count()).toBe(0);
    });

    it.each([
      ["", "Enter a port."],
      ["0", "Enter a number from 1 to 65535."],
      ["70000", "Enter a number from 1 to 65535."],
      ["17878abc", "Enter a whole number, for example 17878."],
    ])("C7 refuses %j beside the field", async (typed, message) => {
      await using window = await windowOf(on);
      const field = window.page.getByLabel("Port", { exact: true });
      await field.fill(typed);
      await button(window.page, "Apply").click();
      await window.page.getByText(message, { exact: true }).waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const described = (await field.getAttribute("aria-describedby")) ?? "";
      const texts = await Promise.all(
        described.split(" ").map((id) => window.page.locator(`[id="${id}"]`).innerText()),
      );
      expect(texts).toContain(message);
      expect(await changesOf(window)).toEqual([]);
    });

    it("returns to the current port on Escape and on Discard", async () => {
      await using window = await windowOf(on);
      const field = window.page.getByLabel("Port", { exact: true });
      await field.fill("18");
      await field.press("Escape");
      expect(await field.inputValue()).toBe("17878");
      await field.fill("19");
      await button(window.page, "Discard").click();
      expect(await field.inputValue()).toBe("17878");
      expect(await changesOf(window)).toEqual([]);
    });
  });

  describe("access from the network", () => {
    const name = "Reachable from your network";
    const dialog = (page: Page) =>
      page.getByRole("alertdialog", { name: "Let your network reach this device?" });

    it("asks first, keeps the focus in the dialog, and changes nothing on Cancel", async () => {
      await using window = await windowOf(on);
      const { page } = window;
      await toggle(page, name).press("Enter");
      await dialog(page).waitFor();
      expect(await dialog(page).innerText()).toContain("not encrypted");
      for (let presses = 0; presses < 5; presses += 1) {
        await page.keyboard.press("Tab");
        await dialog(page).locator(":focus").waitFor();
      }
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      expect(await hasFocus(toggle(page, name))).toBe(true);
      await toggle(page, name).click();
      await button(page, "Cancel").click();
      await dialog(page).waitFor({ state: "detached" });
      expect(await toggle(page, name).getAttribute("aria-checked")).toBe("false");
      expect(await changesOf(window)).toEqual([]);
    });

    it("is on after confirmation, and every page says so until it is turned off", async () => {
      await using window = await windowOf(on);
      const { page } = window;
      await toggle(page, name).click();
      await button(page, "Make reachable").click();
      const banner = page.getByText("Other computers on your network can reach the local API.");
      await banner.waitFor();
      await page.getByText("http://192.168.178.24:17878").waitFor();
      for (const link of ["This computer", "About"]) {
        await page.getByRole("link", { name: link }).click();
        await page.getByRole("heading", { level: 1, name: link }).waitFor();
        expect(await banner.isVisible()).toBe(true);
      }
      await page.getByRole("link", { name: "Review" }).click();
      await button(page, "Turn off").click();
      await banner.waitFor({ state: "detached" });
      expect(await changesOf(window)).toEqual([
        'localApi.change {"exposeOnLan":true}',
        'localApi.change {"exposeOnLan":false}',
      ]);
    });

    it("explains its effect while the server is off", async () => {
      await using window = await windowOf({ settings: { exposeOnLan: true } });
      await window.page
        .getByText("Other computers on your network can reach the local API as soon as it is on.")
        .waitFor();
      expect(await button(window.page, "Turn off").count()).toBe(0);
    });
  });

  describe("the documents", () => {
    it.each([
      ["API reference", "referenceDocsEnabled", "reference"],
      ["Handbook", "staticDocsEnabled", "static-docs"],
    ])("LA3 %s is switched on and off, and opened", async (name, setting, document) => {
      await using window = await windowOf(on);
      const { page } = window;
      await toggle(page, name).press("Space");
      await button(page, `Open: ${name}`).click();
      await toggle(page, name).click();
      await button(page, `Turn on and open: ${name}`).press("Enter");
      await button(page, `Open: ${name}`).waitFor();
      expect(await changesOf(window)).toEqual([
        `localApi.change {"${setting}":true}`,
        `openDocument "${document}"`,
        `localApi.change {"${setting}":false}`,
        `openDocument "${document}"`,
      ]);
      expect(await page.evaluate("hearthFake.opened")).toEqual([document, document]);
    });

    it("open from any page, which turns on what they need", async () => {
      await using window = await windowOf({}, { path: "settings/about" });
      await button(window.page, "Open documentation").click();
      await said(window.page, "The local API is on");
      expect(await window.page.evaluate("hearthFake.opened")).toEqual(["static-docs"]);
    });

    it("say so when the local API cannot start", async () => {
      await using window = await windowOf({ takenPorts: [17_878] });
      await button(window.page, "Turn on and open: Handbook").click();
      await window.page.getByText("Could not open it, because the local API is not running.").waitFor();
    });
  });
});
