import type { BrowserContext } from "playwright-core";
import type { Tab } from "./tab.ts";

/** A notification that a page showed. */
export interface ShownNotice {
  readonly title: string;
  readonly body: string;
  readonly isClosed: boolean;
}

/** Stands in for the browser's notifications, and lets a test say whether somebody looks at the page. */
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

/** To be called before the first page of the context is opened. */
export const recordNotices = (context: BrowserContext): Promise<unknown> => context.addInitScript(STAND_IN);

export const noticesOf = (tab: Tab): Promise<readonly ShownNotice[]> =>
  tab.page.evaluate("globalThis.notices.list()");

/** Clicks the newest notification. */
export const clickNotice = (tab: Tab): Promise<void> => tab.page.evaluate("globalThis.notices.click()");

/** Whether the person looks at the page from now on. */
export const look = (tab: Tab, does: boolean): Promise<void> =>
  tab.page.evaluate(`globalThis.notices.look(${does})`);
