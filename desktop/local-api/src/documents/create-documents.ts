import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { ProblemError } from "@hearth/contracts";
import { createReferencePage } from "@hearth/runtime";
import type { Pages, ReferenceLink } from "@hearth/runtime";
import type { LocalApiSettings } from "@hearth/device";
import { builtSiteIn } from "./built-site.ts";
import { referenceHeaders } from "./document-headers.ts";
import { documentPathOf } from "./document-path.ts";

export interface DocumentsOptions {
  /** The current settings, read on every request: documents are switched on and off at once (rule LA3). */
  readonly settings: () => Pick<LocalApiSettings, "referenceDocsEnabled" | "staticDocsEnabled">;
  /** The folder of the built documentation site. */
  readonly staticDocs: string;
  /** The folder of the reference's files in a bundle; by default they are taken from their packages. */
  readonly reference?: string;
}

/** Serves `/docs` and `/static-docs`. Passes other requests and all problems to `next`. */
export type Documents = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string | undefined,
) => Promise<boolean>;

const nothingHere = (): ProblemError => new ProblemError("NOT_FOUND", "There is nothing at this address");

const isSwitchedOff = (what: string, setting: keyof LocalApiSettings): ProblemError =>
  new ProblemError("NOT_FOUND", `${what} is switched off; the setting ${setting} turns it on`);

function refuseOtherMethods(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  response.setHeader("Allow", "GET, HEAD");
  throw new ProblemError("METHOD_NOT_ALLOWED");
}

const swaggerUi = (): string =>
  path.dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

function createReference({ settings, reference }: DocumentsOptions): Answer {
  const openApi = { href: "/api/openapi.json", text: "OpenAPI document" };
  const guide = { href: "/static-docs", text: "Handbook" };
  const links = (): { home: string; beside: readonly ReferenceLink[] } =>
    settings().staticDocsEnabled
      ? { home: guide.href, beside: [guide, openApi] }
      : { home: "/docs", beside: [openApi] };
  const pages: Pages = createReferencePage({
    title: "Local API reference",
    links,
    headers: referenceHeaders,
    swaggerUi: reference ?? swaggerUi(),
    ...(reference !== undefined && { page: reference }),
  });
  return async (request, response, wanted) => {
    if (!settings().referenceDocsEnabled) throw isSwitchedOff("The API reference", "referenceDocsEnabled");
    if (wanted === undefined) return false;
    refuseOtherMethods(request, response);
    return pages(request, response, `/docs${wanted}`);
  };
}

function createStaticDocs({ settings, staticDocs }: DocumentsOptions): Answer {
  const siteNow = builtSiteIn(staticDocs);
  return async (request, response, wanted) => {
    if (!settings().staticDocsEnabled) throw isSwitchedOff("The handbook", "staticDocsEnabled");
    const site = await siteNow();
    if (!site) throw new ProblemError("NOT_FOUND", "This build of Hearth came without its handbook");
    const found = wanted === undefined ? undefined : site.find(wanted);
    if (!found) return false;
    refuseOtherMethods(request, response);
    site.headers(request, response);
    if ("file" in found) return site.send(request, response, found.file);
    response.writeHead(308, { Location: found.movedTo, "Cache-Control": "no-cache" }).end();
    return true;
  };
}

/** The local server's documents, each with a setting; they need no network (rule LA3). */
export function createDocuments(options: DocumentsOptions): Documents {
  const answers = { reference: createReference(options), "static-docs": createStaticDocs(options) };
  return (request, response, next) => {
    const target = documentPathOf(request.url ?? "");
    if (!target) {
      next();
      return;
    }
    answers[target.document](request, response, target.path).then((answered) => {
      if (!answered) next(nothingHere());
    }, next);
  };
}
