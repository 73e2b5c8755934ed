import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { ProblemError } from "@hearth/contracts";
import express from "express";
import type { Request, RequestHandler } from "express";
import { CachedFiles } from "./cached-files.ts";
import type { CachedFile } from "./cached-files.ts";

/** Sends the file at a path (without its query). Resolves to false, and sends nothing, when there is none. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** The `Cache-Control` of a file that a browser may use without revalidation; `undefined` for others. */
export type CacheRule = (path: string) => string | undefined;

type SendFile = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

const REVALIDATE = "no-cache";

const OPTIONS = {
  index: false,
  redirect: false,
  dotfiles: "ignore",
  cacheControl: false,
  acceptRanges: false,
  /** How much of a large file a response holds in memory while its client does not read. */
  highWaterMark: 16 * 1024,
} as const;

interface Coding {
  readonly name: string;
  readonly suffix: string;
}

/** The preferred one first. */
const CODINGS: readonly Coding[] = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
];

const NOT_FITTING = "The request does not fit the file";

/** Sends files of a folder and nothing outside it: no dotfiles, no listings, no `..`. */
export const createStaticFiles = (root: string, cache?: CacheRule): Pages => sendingFrom(root, [], cache);

/** The same, and sends the `.br` or `.gz` beside a file to a client that accepts it. */
export const createCompressedFiles = (root: string, cache?: CacheRule): Pages =>
  sendingFrom(root, CODINGS, cache);

/** Sends small files from memory, others as a stream in small pieces. */
function sendingFrom(root: string, codings: readonly Coding[], cache: CacheRule | undefined): Pages {
  const app = express().disable("x-powered-by");
  app.use(sendCached(new CachedFiles(root), codings));
  app.use(express.static(root, OPTIONS));
  return sending(app as SendFile, cache);
}

function sendCached(files: CachedFiles, codings: readonly Coding[]): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      next();
      return;
    }
    const compressed = await findCompressed(files, request, codings);
    const file = compressed?.file ?? (await files.find(request.path));
    if (!file) {
      next();
      return;
    }
    if (!meetsConditions(request, file)) {
      next(new ProblemError("INVALID_REQUEST", NOT_FITTING));
      return;
    }
    if (codings.length > 0) response.vary("Accept-Encoding");
    if (compressed) response.set("Content-Encoding", compressed.name);
    response.type(path.extname(request.path)).set({ ETag: file.etag, "Last-Modified": file.lastModified });
    response.send(file.bytes);
  };
}

async function findCompressed(files: CachedFiles, request: Request, codings: readonly Coding[]) {
  for (const { name, suffix } of codings) {
    if (request.acceptsEncodings(name) === false) continue;
    const file = await files.find(request.path + suffix);
    if (file) return { file, name };
  }
  return null;
}

/** Checks `If-Match` and `If-Unmodified-Since`. Express checks the conditions that lead to 304. */
function meetsConditions({ headers }: IncomingMessage, { etag, lastModified }: CachedFile): boolean {
  const wanted = headers["if-match"];
  if (wanted !== undefined) return wanted === "*" || wanted.includes(etag);
  const since = Date.parse(headers["if-unmodified-since"] ?? "");
  return Number.isNaN(since) || Date.parse(lastModified) <= since;
}

/** The request cannot be met, for example because of an `If-Match` of another version. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "status" in error && Number(error.status) >= 400 && Number(error.status) < 500;

function sending(serve: SendFile, cache: CacheRule = () => undefined): Pages {
  return (request, response, wanted) =>
    new Promise((resolve, reject) => {
      const asked = request.url;
      response.once("close", () => resolve(true));
      response.setHeader("Cache-Control", cache(wanted) ?? REVALIDATE);
      request.url = wanted;
      serve(request, response, (error?: unknown) => {
        response.removeHeader("Cache-Control");
        if (asked !== undefined) request.url = asked;
        if (isRefusal(error)) reject(new ProblemError("INVALID_REQUEST", NOT_FITTING));
        else if (error instanceof Error) reject(error);
        else resolve(false);
      });
    });
}
