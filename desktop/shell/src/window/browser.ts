import type { Log } from "@hearth/runtime";
import { isDocumentUrl, webUrl } from "./origin.ts";
import type { BrowserPort } from "../ports.ts";

/** The only way to the system's browser. */
export interface Browser {
  /** Opens a link of the page; only http and https. */
  openLink(url: string): void;
  /** Opens a document of the local server; rejects any other URL. */
  openDocument(url: string): Promise<void>;
}

export const createBrowser = (port: BrowserPort, log: Log): Browser => ({
  openLink(url) {
    const href = webUrl(url);
    if (href === undefined) {
      log.warn({ scheme: url.slice(0, url.indexOf(":") + 1).slice(0, 32) }, "link not opened");
      return;
    }
    port.open(href).catch((error: unknown) => {
      log.error({ err: error }, "browser not opened");
    });
  },
  async openDocument(url) {
    if (!isDocumentUrl(url)) throw new Error("not a document of the local server");
    await port.open(url);
  },
});
