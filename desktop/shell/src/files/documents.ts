import type { LocalDocument } from "@hearth/bridge";
import type { Browser } from "../window/browser.ts";
import type { LocalApi } from "../ports.ts";

/** Interface 4.3, rule 5: enables what the document needs, then opens it in the system's browser. */
export const createDocumentOpener =
  (localApi: Pick<LocalApi, "openDocument">, browser: Pick<Browser, "openDocument">) =>
  async (document: LocalDocument): Promise<void> => {
    await browser.openDocument(await localApi.openDocument(document));
  };
