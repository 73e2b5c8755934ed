import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { errorCode } from "../errors/error-code.ts";
import { sendText, sentText } from "../pages/sent-text.ts";
import { createStaticFiles } from "../pages/static-files.ts";
import type { Pages } from "../pages/static-files.ts";

/** A link in the page's bar. */
export interface ReferenceLink {
  readonly href: string;
  readonly text: string;
}

export interface ReferencePageOptions {
  /** The page's title. */
  readonly title: string;
  /** The link of the name in the bar, and further links. Called for each response. */
  readonly links: () => { readonly home: string; readonly beside: readonly ReferenceLink[] };
  /** Sets the security headers of each response. */
  readonly headers: (request: IncomingMessage, response: ServerResponse) => void;
  /** Folder of `swagger-ui.css` and `swagger-ui-bundle.js` as swagger-ui-dist ships them. */
  readonly swaggerUi: string;
  /** Folder of the page's own files, if a bundle moved them. */
  readonly page?: string;
}

/** Files of swagger-ui-dist that the page loads. */
export const SWAGGER_UI_FILES = ["swagger-ui.css", "swagger-ui-bundle.js"] as const;

/** Folder of the page's own files. */
export const REFERENCE_PAGE_FOLDER = path.join(import.meta.dirname, "page");

const ASSETS = "/docs/assets";
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");

const anchor = ({ href, text }: ReferenceLink): string => `<a href="${escaped(href)}">${escaped(text)}</a>`;

function ifThere(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}

/**
 * The interactive reference at `/docs` of the document at `/api/openapi.json`. It loads nothing from elsewhere, so it
 * works without a network (rules GW1, LA3).
 */
export function createReferencePage(options: ReferencePageOptions): Pages {
  const folder = options.page ?? REFERENCE_PAGE_FOLDER;
  const own = createStaticFiles(folder);
  const bundled = createStaticFiles(options.swaggerUi);
  const bundledFiles: ReadonlySet<string> = new Set(SWAGGER_UI_FILES.map((file) => `/${file}`));

  const page = async (): Promise<string | undefined> => {
    const template = await readFile(path.join(folder, "index.html"), "utf8").catch(ifThere);
    if (template === undefined) return undefined;
    const { home, beside } = options.links();
    const values = {
      title: escaped(options.title),
      home: escaped(home),
      beside: beside.map(anchor).join(""),
    };
    return Object.entries(values).reduce(
      (html, [name, value]) => html.replaceAll(`{{${name}}}`, () => value),
      template,
    );
  };

  return async (request, response, wanted) => {
    if (wanted === "/docs" || wanted === "/docs/") {
      const html = await page();
      if (html === undefined) return false;
      options.headers(request, response);
      sendText(request, response, sentText("text/html; charset=utf-8", html));
      return true;
    }
    if (!wanted.startsWith(`${ASSETS}/`)) return false;
    const file = wanted.slice(ASSETS.length);
    if (file === "/index.html") return false;
    options.headers(request, response);
    return (bundledFiles.has(file) ? bundled : own)(request, response, file);
  };
}
