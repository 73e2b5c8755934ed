import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { createCompressedFiles, createReferencePage, createStaticFiles } from "@hearth/runtime";
import type { PageHeaders, Pages } from "@hearth/runtime";
import { clientHeaders, pageHeaders } from "./security-headers.ts";

const source = path.dirname(import.meta.dirname);
const swagger = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** What Vite puts below `assets` carries a hash of its content in its name. */
const clientCache = (file: string): string | undefined =>
  file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : undefined;

const wantsPage = (request: IncomingMessage, wanted: string): boolean =>
  (request.headers.accept ?? "").includes("text/html") && !path.posix.basename(wanted).includes(".");

function under(headers: PageHeaders, files: Pages): Pages {
  return (request, response, wanted) => {
    headers(request, response);
    return files(request, response, wanted);
  };
}

const createDocs = (): Pages =>
  createReferencePage({
    title: "API reference",
    links: () => ({ home: "/", beside: [{ href: "/api/openapi.json", text: "OpenAPI document" }] }),
    headers: pageHeaders,
    swaggerUi: swagger,
  });

/** The web client: its files, and its entry page for every address that only it can make sense of. */
function createClient(webRoot: string): Pages {
  const files = under(clientHeaders, createCompressedFiles(webRoot, clientCache));
  return async (request, response, wanted) => {
    if (wanted !== "/" && (await files(request, response, wanted))) return true;
    if (wanted !== "/" && !wantsPage(request, wanted)) return false;
    return files(request, response, "/index.html");
  };
}

function createLanding(): Pages {
  const files = under(pageHeaders, createStaticFiles(path.join(source, "landing")));
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
    (await docs(request, response, wanted)) || (!NEVER_HOME.test(wanted) && home(request, response, wanted));
}

/** Of the reference, and of operators on another port: an address of the client would hide that nothing is there. */
const NEVER_HOME = /^\/(?:docs|metrics|livez|readyz)(?:\/|$)/;
