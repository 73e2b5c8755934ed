import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { clientHeaders, docsHeaders, landingHeaders } from "./security-headers.ts";
import type { SecurityHeaders } from "./security-headers.ts";
import { createStaticFiles } from "./static-files.ts";
import type { StaticFiles } from "./static-files.ts";

/** Sends the page or asset at a path; `false` when there is none. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

const source = path.dirname(import.meta.dirname);
const swagger = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const SWAGGER_FILES: ReadonlySet<string> = new Set(["/swagger-ui.css", "/swagger-ui-bundle.js"]);
const ASSETS = "/docs/assets";

/** What Vite puts below `assets` carries a hash of its content in its name. */
const clientCache = (file: string): string | undefined =>
  file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : undefined;

const wantsPage = (request: IncomingMessage, wanted: string): boolean =>
  (request.headers.accept ?? "").includes("text/html") && !path.posix.basename(wanted).includes(".");

function under(headers: SecurityHeaders, files: StaticFiles): Pages {
  return (request, response, wanted) => {
    headers(request, response);
    return files(request, response, wanted);
  };
}

function createDocs(): Pages {
  const own = under(docsHeaders, createStaticFiles(path.join(source, "docs")));
  const bundled = under(docsHeaders, createStaticFiles(swagger));
  return async (request, response, wanted) => {
    if (wanted === "/docs" || wanted === "/docs/") return own(request, response, "/index.html");
    if (!wanted.startsWith(`${ASSETS}/`)) return false;
    const file = wanted.slice(ASSETS.length);
    return (SWAGGER_FILES.has(file) ? bundled : own)(request, response, file);
  };
}

/** The web client: its files, and its entry page for every address that only it can make sense of. */
function createClient(webRoot: string): Pages {
  const files = under(clientHeaders, createStaticFiles(webRoot, clientCache));
  return async (request, response, wanted) => {
    if (wanted !== "/" && (await files(request, response, wanted))) return true;
    if (wanted !== "/" && !wantsPage(request, wanted)) return false;
    return files(request, response, "/index.html");
  };
}

function createLanding(): Pages {
  const files = under(landingHeaders, createStaticFiles(path.join(source, "landing")));
  return async (request, response, wanted) => {
    if (wanted === "/") return files(request, response, "/index.html");
    return wanted.startsWith("/landing/") && files(request, response, wanted.slice("/landing".length));
  };
}

/** The reference page, and at `/` the web client, or without one a page that shows how the server is. */
export function createPages(webRoot: string | undefined): Pages {
  const docs = createDocs();
  const home = webRoot === undefined ? createLanding() : createClient(webRoot);
  return async (request, response, wanted) =>
    (await docs(request, response, wanted)) || (!isDocs(wanted) && home(request, response, wanted));
}

const isDocs = (wanted: string): boolean => wanted === "/docs" || wanted.startsWith("/docs/");
