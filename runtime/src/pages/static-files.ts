import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { ProblemError } from "@hearth/contracts";
import express from "express";
import type { Request, RequestHandler } from "express";
import { KeptFiles } from "./kept-files.ts";
import type { KeptFile } from "./kept-files.ts";

/** Sends what is at a path, without its query; `false` when there is nothing, and then nothing was sent. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** For how long a browser may use a file without asking; it asks about all others each time. */
export type CacheRule = (path: string) => string | undefined;

type SendFile = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

const REVALIDATE = "no-cache";

const OPTIONS = {
  index: false,
  redirect: false,
  dotfiles: "ignore",
  cacheControl: false,
  acceptRanges: false,
  /** What each response that nobody reads has in memory of a file that is too large to be kept. */
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

/** Sends files of a folder, and only what lies in it: no dotfiles, no listings, nothing by way of `..`. */
export const createStaticFiles = (root: string, cache?: CacheRule): Pages => sendingFrom(root, [], cache);

/** The same, where the folder has a `.br` or a `.gz` beside a file that whoever asks can read: those are sent in its place. */
export const createCompressedFiles = (root: string, cache?: CacheRule): Pages =>
  sendingFrom(root, CODINGS, cache);

/** What is small is sent from memory, anything else as a stream in small pieces. */
function sendingFrom(root: string, codings: readonly Coding[], cache: CacheRule | undefined): Pages {
  const app = express().disable("x-powered-by");
  app.use(sendKept(new KeptFiles(root), codings));
  app.use(express.static(root, OPTIONS));
  return sending(app as SendFile, cache);
}

function sendKept(files: KeptFiles, codings: readonly Coding[]): RequestHandler {
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

async function findCompressed(files: KeptFiles, request: Request, codings: readonly Coding[]) {
  for (const { name, suffix } of codings) {
    if (request.acceptsEncodings(name) === false) continue;
    const file = await files.find(request.path + suffix);
    if (file) return { file, name };
  }
  return null;
}

/** `If-Match` and `If-Unmodified-Since`; Express itself sees to the conditions that lead to 304. */
function meetsConditions({ headers }: IncomingMessage, { etag, lastModified }: KeptFile): boolean {
  const wanted = headers["if-match"];
  if (wanted !== undefined) return wanted === "*" || wanted.includes(etag);
  const since = Date.parse(headers["if-unmodified-since"] ?? "");
  return Number.isNaN(since) || Date.parse(lastModified) <= since;
}

/** What was asked for cannot be had, such as with an `If-Match` of another file: no fault of ours. */
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
