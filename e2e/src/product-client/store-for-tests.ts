import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import type { StaticSite } from "../browser/static-site.ts";
import { serveStore } from "./store-site.ts";
import { openTab } from "./store-tab.ts";
import type { StoreTab } from "./store-tab.ts";

/** Writes batches of messages of a given size until the store refuses one; returns the refusal. */
export const FILL = `async (store, { batch, size, most, name }) => {
  const text = (length) => Array.from({ length: length / 36 }, () => crypto.randomUUID()).join("");
  for (let index = 0; index < most; index += 1) {
    const messages = Array.from({ length: batch }, (_, at) =>
      hearth.aMessage(name + "-" + index + "-" + at, { content: text(size), timestamp: index }));
    try {
      await store.saveMessages(messages);
    } catch (error) {
      return { code: error.code, retryable: error.retryable, written: index };
    }
  }
  return { code: null, written: most };
}`;

/** The number of messages in the server that every test starts with. */
export const TOTAL = `async (store) => (await store.messages("room-1", { limit: 1, from: { offset: 0 } })).total`;

/** The browser's store in a page, opened anew for each test. */
export class StoreInChromium {
  private site: StaticSite | undefined;
  browser!: Browser;
  context!: BrowserContext;
  tab!: StoreTab;

  get url(): string {
    return this.site?.url ?? "";
  }

  async start(): Promise<void> {
    this.site = await serveStore();
    this.browser = await launchChromium();
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.site?.[Symbol.asyncDispose]();
  }

  /** Opens a profile without data, and a tab with one server in its store. */
  async openProfile(): Promise<void> {
    this.context = await this.browser.newContext();
    this.tab = await openTab(this.context, this.url);
    await this.tab.run(`async (store) => {
      await store.saveRooms([hearth.aRoom(), hearth.aRoom({ id: "gone" })]);
      await store.removeRoom("gone");
    }`);
  }
}

/** The store for the tests of the block that calls this; a test fails when the page reported an error. */
export function storeForTests(): StoreInChromium {
  const store = new StoreInChromium();
  beforeAll(() => store.start(), 120_000);
  beforeEach(() => store.openProfile());
  afterEach(async () => {
    await store.context.close();
    expect(store.tab.complaints).toEqual([]);
  });
  afterAll(() => store.stop());
  return store;
}
