import type { BrowserContext } from "playwright-core";
import type { Tab } from "./tab.ts";

/** A notification that a page showed. */
export interface ShownNotice {
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
}

/** Replaces the browser's notifications, and lets a test set whether the page is visible. */
const STAND_IN = `{
  let isLookedAt = true;
  const shown = [];
  document.hasFocus = () => isLookedAt;
  globalThis.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) {
      Object.assign(this, { title, body, isClosed: false });
      shown.push(this);
    }
    close() { this.isClosed = true; }
  };
  globalThis.notices = {
    list: () => shown.map(({ title, body, isClosed }) => ({ title, body, isClosed })),
    click: () => shown.at(-1).onclick(),
    look: (does) => { isLookedAt = does; dispatchEvent(new Event(does ? "focus" : "blur")); },
  };
}`;

/** Call it before opening the context's first page. */
export const recordNotices = (context: BrowserContext): Promise<unknown> => context.addInitScript(STAND_IN);

export const noticesOf = (tab: Tab): Promise<readonly ShownNotice[]> =>
  tab.page.evaluate("globalThis.notices.list()");

/** Clicks the newest notification. */
export const clickNotice = (tab: Tab): Promise<void> => tab.page.evaluate("globalThis.notices.click()");

/** Sets whether the page is visible. */
export const look = (tab: Tab, does: boolean): Promise<void> =>
  tab.page.evaluate(`globalThis.notices.look(${does})`);
