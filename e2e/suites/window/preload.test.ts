import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { until } from "@hearth/runtime/testing/until";
import { launchChromium } from "../../src/browser/chromium.ts";
import { inChromium } from "../../src/browser/for-tests.ts";
import { serveFolder } from "../../src/browser/static-site.ts";
import type { StaticSite } from "../../src/browser/static-site.ts";
import { buildWindow } from "../../src/settings-screen/built-window.ts";
import { newDataDir } from "../../src/local-api/process.ts";
import { installPreload } from "../../src/window/preload.ts";
import type { Answer, Call } from "../../src/window/preload.ts";
import { startStoreProcess } from "../../src/window/store-process.ts";
import type { StoreProcess } from "../../src/window/store-process.ts";

jest.setTimeout(120_000);

const settings = {
  enabled: false,
  port: 17_878,
  exposeOnLan: false,
  referenceDocsEnabled: false,
  staticDocsEnabled: false,
  allowedSignalingServers: [],
};
const off = { settings, state: { status: "stopped", urls: [], lastError: null }, tokens: [] };
const on = {
  settings: { ...settings, enabled: true },
  state: { status: "listening", urls: ["http://127.0.0.1:17878"], lastError: null },
  tokens: [],
};

const answers: Readonly<Record<string, unknown>> = {
  "local-api:view": off,
  "local-api:change": { ok: true, view: on },
  "document:open": on,
  "secrets:level": "protected",
  "notifications:take-activations": [],
  "links:take": [],
  "auto-start:get": false,
};

/** A user is signed in at a server that is down. */
const HOME = "http://127.0.0.1:9";
const held = {
  userId: "user-1",
  username: "ada",
  displayName: "Ada",
  token: "a".repeat(64),
  expiresAt: 4e12,
};
const stored = {
  homeSignalServerUrl: HOME,
  app_currentUserId: "user-1",
  "app.authTokens": JSON.stringify({ [HOME]: held.token }),
  "app.signalServerCredentials": JSON.stringify({ [HOME]: held }),
};

let script: string;
let site: StaticSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let calls: Call[];
let refusals: string[];
let dataDir: string;
let store: StoreProcess;

const answer = async (call: Call): Promise<Answer> => {
  calls.push(call);
  if (call.channel.startsWith("store:")) return store.answer(call);
  if (!(call.channel in answers)) return { ok: false, error: { code: "FORBIDDEN", message: "Not allowed" } };
  return { ok: true, value: answers[call.channel] };
};

const toggle = (): ReturnType<Page["getByRole"]> =>
  page.getByRole("switch", { name: "Local API", exact: true });

inChromium("the window's page behind the real preload script", () => {
  beforeAll(async () => {
    const built = await buildWindow();
    script = built.preload;
    site = await serveFolder(built.folder);
    browser = await launchChromium();
    dataDir = await newDataDir();
    store = await startStoreProcess(dataDir);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    calls = [];
    context = await browser.newContext();
    context.setDefaultTimeout(15_000);
    await installPreload(context, script, answer);
    await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
    page = await context.newPage();
    refusals = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) refusals.push(message.text());
    });
    await page.goto(`${site.url}settings/local-api`);
  });

  afterEach(() => context.close());

  it("S16 sees one frozen object of few functions, and nothing of Electron or Node", async () => {
    const seen = await page.evaluate(`({
      names: Object.keys(window.hearth).sort(),
      version: window.hearth.version,
      frozen: Object.isFrozen(window.hearth) && Object.isFrozen(window.hearth.localApi),
      leaks: ["require", "process", "module", "ipcRenderer", "electron", "Buffer"].filter((name) => name in window),
    })`);
    expect(seen).toEqual({
      names: [
        "autoStart",
        "links",
        "localApi",
        "notifications",
        "openDocument",
        "secrets",
        "store",
        "version",
      ],
      version: "9.8.7",
      frozen: true,
      leaks: [],
    });
  });

  it("reads and changes through the named channels, and shows the app's answers", async () => {
    await toggle().click();
    await page.getByText("http://127.0.0.1:17878", { exact: true }).first().waitFor();
    expect(calls).toContainEqual({ channel: "local-api:view", input: undefined });
    expect(calls).toContainEqual({ channel: "local-api:change", input: { enabled: true } });
  });

  it("follows the app's events", async () => {
    await toggle().waitFor();
    await page.evaluate(`hearthSend("local-api:changed", ${JSON.stringify(on)})`);
    await page.getByText("http://127.0.0.1:17878", { exact: true }).first().waitFor();
    expect(await toggle().getAttribute("aria-checked")).toBe("true");
  });

  it("reads the device's data through the store's channels, and violates no rule of the window's policy", async () => {
    await toggle().waitFor();
    await until(async () => calls.some(({ channel }) => channel === "store:read"), 5_000);
    const read = calls.filter(({ channel }) => channel === "store:read");
    expect(read).toContainEqual({ channel: "store:read", input: { method: "rooms", args: [] } });
    expect(refusals).toEqual([]);
  });

  it("receives the code of a refusal", async () => {
    const refusal = await page.evaluate(
      `window.hearth.secrets.get("token").catch((error) => ({ ...error }))`,
    );
    expect(refusal).toEqual({ name: "BridgeFailure", code: "FORBIDDEN", message: "Not allowed" });
  });
});
