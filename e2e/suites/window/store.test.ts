import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium } from "../../src/browser/chromium.ts";
import { inChromium } from "../../src/browser/for-tests.ts";
import { serveFolder } from "../../src/browser/static-site.ts";
import type { StaticSite } from "../../src/browser/static-site.ts";
import { expectOk, freshName, register } from "../../src/client/index.ts";
import { localLogin } from "../../src/local-api/calls.ts";
import { newDataDir, startLocalApi } from "../../src/local-api/process.ts";
import type { RunningLocalApi } from "../../src/local-api/process.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { buildWindow } from "../../src/settings-screen/built-window.ts";
import { installPreload } from "../../src/window/preload.ts";
import { startStoreProcess } from "../../src/window/store-process.ts";
import type { StoreProcess } from "../../src/window/store-process.ts";

jest.setTimeout(60_000);

const T0 = 1_700_000_000_000;
const ROOM = "0190b5a0-0000-7000-8000-000000000001";
const PLACE = { roomId: ROOM, channelId: "channel-1" };

const message = {
  id: "0190b5a0-0000-7000-8000-000000000002",
  ...PLACE,
  senderId: "user-2",
  senderDisplayName: "Ada",
  content: 'Tea at "five"? 🌱',
  replyToId: null,
  mentions: ["user-1"],
  timestamp: T0,
  delivery: "sent",
  clientInstanceId: null,
};

const roomOf = (signalServerUrl: string, actorUserId: string) => ({
  id: ROOM,
  kind: "server",
  name: "Garden",
  description: "",
  signalServerUrl,
  actorUserId,
  iconHash: null,
  tags: [],
  visibility: "private",
  ownerId: null,
  peerUserId: null,
  role: "member",
  channels: [{ id: "channel-1", name: "general", kind: "text", position: 0 }],
  muted: false,
  lastReadMessageId: null,
  lastReadAt: null,
  createdAt: T0,
  joinedAt: T0,
  updatedAt: T0,
});

let script: string;
let folder: string;
let site: StaticSite;
let browser: Browser;
let context: BrowserContext;
let dataDir: string;
let app: StoreProcess;
let page: Page;

/** A call by the page, and the error of a refusal. */
const ask = <Value>(method: string, ...args: readonly unknown[]): Promise<Value> =>
  page.evaluate(
    `window.hearth.store[${JSON.stringify(method)}](...${JSON.stringify(args)}).catch((error) => ({ ...error }))`,
  );

inChromium("the device's store behind the real preload script", () => {
  beforeAll(async () => {
    script = (await buildWindow()).preload;
    folder = await mkdtemp(path.join(tmpdir(), "hearth-page-"));
    await writeFile(path.join(folder, "index.html"), "<!doctype html><title>Page</title>");
    site = await serveFolder(folder);
    browser = await launchChromium();
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await site[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    dataDir = await newDataDir();
    app = await startStoreProcess(dataDir);
    context = await browser.newContext();
    await installPreload(context, script, (call) => app.answer(call));
    page = await context.newPage();
    await page.goto(site.url);
  });

  afterEach(async () => {
    await context.close();
    await app[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("keeps the page's data for the next page and the next start of the app", async () => {
    expect(await ask("saveMessages", [message])).toBeUndefined();
    await page.reload();
    const newest = { messages: [message], hasMore: false };
    expect(await ask("messagesBefore", PLACE, { limit: 5, before: null })).toMatchObject(newest);
    await app[Symbol.asyncDispose]();
    app = await startStoreProcess(dataDir);
    expect(await ask("messagesBefore", PLACE, { limit: 5, before: null })).toMatchObject(newest);
    expect(await ask("room", ROOM)).toBeUndefined();
  });

  it("transfers bytes, and reports the code of a refusal", async () => {
    const emoji = { id: "leaf", shortcode: "leaf", mime: "image/png", hash: "ab", updatedAt: T0 };
    await page.evaluate(
      `window.hearth.store.saveEmoji([{ ...${JSON.stringify(emoji)}, bytes: new Uint8Array([0, 255, 7]) }])`,
    );
    const bytes = await page.evaluate("window.hearth.store.emoji().then(([emoji]) => [...emoji.bytes])");
    expect(bytes).toEqual([0, 255, 7]);
    const refusal = { name: "BridgeFailure", code: "INVALID_REQUEST" };
    expect(await ask("saveMessages", [{ ...message, timestamp: "yesterday" }])).toMatchObject(refusal);
    expect(await ask("setMeta", "authToken", "x")).toMatchObject(refusal);
    expect(await ask("messagesBefore", PLACE, { limit: 5, before: null })).toMatchObject({ messages: [] });
  });

  it("S16 has only the listed methods", async () => {
    const names = await page.evaluate("Object.keys(window.hearth.store)");
    expect(names).toContain("saveMessages");
    expect(names).not.toContain("messagesJson");
    expect(await page.evaluate("Object.isFrozen(window.hearth.store)")).toBe(true);
  });

  describe("with the local API over the same folder", () => {
    const server = serverForTests();
    let local: RunningLocalApi;

    afterEach(() => local.stop());

    it("LA2 programs see what the page writes from the next request on", async () => {
      const account = await register(server.url, freshName("owner"), "Owner");
      const { id: userId, username, displayName, expiresAt } = account;
      const held = { userId, username, displayName, expiresAt, autoProvisioned: false, isHome: true };
      await ask("saveCredential", { ...held, signalServerUrl: server.url });
      await ask("saveRooms", [roomOf(server.url, userId)]);
      local = await startLocalApi({ dataDir, args: ["--allow", server.url] });
      const { token } = await localLogin(local.url, server.url, username);
      const messages = `/api/rooms/${ROOM}/messages`;
      expect(await expectOk(local.url, "GET", messages, { token })).toEqual([]);
      await ask("saveMessages", [message]);
      await ask("editMessages", [
        { messageId: message.id, roomId: ROOM, content: "Tea at six", revision: 1, editedAt: T0 + 1 },
      ]);
      await ask("changeReactions", [
        { messageId: message.id, emoji: "🌱", userId, present: true, at: T0 + 2 },
      ]);
      const { messages: stored } = await ask<{ messages: unknown[] }>("messagesBefore", PLACE, {
        limit: 5,
        before: null,
      });
      expect(stored).toMatchObject([{ ...message, content: "Tea at six", revision: 1 }]);
      expect(await expectOk(local.url, "GET", messages, { token })).toEqual(stored);
      const [first] = stored;
      expect(await expectOk(local.url, "GET", `/api/messages/${message.id}`, { token })).toEqual(first);
      expect(await expectOk(local.url, "GET", `/api/messages/${message.id}/reactions`, { token })).toEqual([
        { messageId: message.id, emoji: "🌱", userId, createdAt: T0 + 2 },
      ]);
      await ask("eraseAll");
      expect(await expectOk(local.url, "GET", "/api/rooms", { token })).toEqual([]);
    });
  });
});
