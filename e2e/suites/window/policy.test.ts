import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { until } from "@hearth/runtime/testing/until";
import { launchChromium } from "../../src/browser/chromium.ts";
import { inChromium } from "../../src/browser/for-tests.ts";
import { serveFolder } from "../../src/browser/static-site.ts";
import type { StaticSite } from "../../src/browser/static-site.ts";

jest.setTimeout(120_000);

const modules = path.resolve(import.meta.dirname, "../../../node_modules");

const APP = `
globalThis.violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violations.push(effectiveDirective));
import Picker from "./picker/picker.js";
globalThis.showPicker = () => {
  const url = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
  const customEmoji = [{ name: "leaf", shortcodes: ["leaf"], url }];
  document.body.append(new Picker({ dataSource: "/emoji.json", customEmoji }));
};`;

let folder: string;
let site: StaticSite;
let stranger: Server;
let browser: Browser;
let page: Page;

const violations = (): Promise<readonly string[]> => page.evaluate("violations");

/** Runs a script in the page; returns the violated policy rules. */
const attempt = async (script: string): Promise<unknown> => {
  await page.evaluate(script);
  await until(async () => (await violations()).length > 0, 5_000);
  return violations();
};

inChromium("the window's content security policy", () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hearth-policy-"));
    await cp(path.join(modules, "emoji-picker-element"), path.join(folder, "picker"), { recursive: true });
    const data = path.join(modules, "emoji-picker-element-data/en/github/data.json");
    await cp(data, path.join(folder, "emoji.json"));
    const html = '<!doctype html><title>Policy</title><body><script type="module" src="/app.js"></script>';
    await writeFile(path.join(folder, "index.html"), html);
    await writeFile(path.join(folder, "app.js"), APP);
    site = await serveFolder(folder);
    stranger = createServer((_request, response) => {
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("answered");
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
    await site[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(site.url);
    await until(() => page.evaluate("'showPicker' in globalThis"), 10_000);
  });

  afterEach(() => page.close());

  it("lets the emoji picker look and work as it should", async () => {
    await page.evaluate("showPicker()");
    await page.getByRole("menuitem", { name: "leaf" }).waitFor();
    await page.getByRole("tab", { name: "Animals and nature" }).click();
    await page
      .getByRole("menuitem", { name: /monkey face/ })
      .first()
      .waitFor();
    await page.getByRole("combobox").fill("grinning");
    await page
      .getByRole("option", { name: /grinning face/ })
      .first()
      .waitFor();
    const display =
      "getComputedStyle(document.querySelector('emoji-picker').shadowRoot.querySelector('.emoji-menu')).display";
    expect(await page.evaluate(display)).toBe("grid");
    expect(await violations()).toEqual([]);
  });

  it("lets the page speak to any signaling server", async () => {
    const host = `127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    expect(await page.evaluate(`fetch("http://${host}/").then((answer) => answer.text())`)).toBe("answered");
    const closed = `new Promise((resolve) => { new WebSocket("ws://${host}/ws").onclose = ({ code }) => resolve(code); })`;
    expect(await page.evaluate(closed)).toBe(1006);
    expect(await violations()).toEqual([]);
  });

  it.each([
    [
      "a style element of another kind",
      "style-src-elem",
      "document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }))",
    ],
    [
      "a stylesheet from elsewhere",
      "style-src-elem",
      "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'http://127.0.0.1:9/x.css' }))",
    ],
    [
      "a script within the page",
      "script-src-elem",
      "document.head.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
    ],
    ["a handler within an element", "script-src-attr", "document.body.setAttribute('onclick', '1')"],
    ["generated code", "script-src", "setTimeout(() => { try { new Function('1') } catch {} })"],
    [
      "a picture from elsewhere, also by the style of an element",
      "img-src",
      "document.body.setAttribute('style', 'background: url(http://127.0.0.1:9/x.png)')",
    ],
    [
      "a frame",
      "frame-src",
      "document.body.append(Object.assign(document.createElement('iframe'), { src: '/' }))",
    ],
    [
      "another address for what is relative",
      "base-uri",
      "document.head.append(Object.assign(document.createElement('base'), { href: 'http://127.0.0.1:9/' }))",
    ],
  ])("S16 refuses %s", async (_what, directive, script) => {
    expect(await attempt(script)).toEqual([directive]);
  });
});
