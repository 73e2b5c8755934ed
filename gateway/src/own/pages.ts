import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import {
  STRICT_PAGE_POLICY,
  createCompressedFiles,
  createPageHeaders,
  createReferencePage,
  createStaticFiles,
} from "@hearth/runtime";
import type { PageHeaders, Pages } from "@hearth/runtime";

const source = path.dirname(import.meta.dirname);
const swagger = path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const SELF = "'self'";

/** For the reference page and the status page. */
const pageHeaders = createPageHeaders(STRICT_PAGE_POLICY);

/** The web client connects to every instance at which its user signs in. It loads media only from its own origin. */
const clientHeaders = createPageHeaders({
  ...STRICT_PAGE_POLICY,
  "default-src": [SELF],
  "style-src": [SELF, "'unsafe-inline'"],
  "img-src": [SELF, "data:", "blob:"],
  "media-src": [SELF, "data:", "blob:"],
  "connect-src": [SELF, "data:", "blob:", "http:", "https:", "ws:", "wss:"],
  "worker-src": [SELF, "blob:"],
  "object-src": ["'none'"],
  "base-uri": [SELF],
  "form-action": [SELF],
});

/** File names that Vite puts below `assets` contain a hash of the content. */
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

/** The web client: its files, and its entry page for every other path that a browser navigates to. */
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

/** The reference page and, at `/`, the web client, or a status page if there is no web client. */
export function createPages(webRoot: string | undefined): Pages {
  const docs = createDocs();
  const home = webRoot === undefined ? createLanding() : createClient(webRoot);
  return async (request, response, wanted) =>
    (await docs(request, response, wanted)) || (!NEVER_HOME.test(wanted) && home(request, response, wanted));
}

/** Paths of the reference and of the internal port. They are 404 here, never the entry page of the client. */
const NEVER_HOME = /^\/(?:docs|metrics|livez|readyz)(?:\/|$)/;
