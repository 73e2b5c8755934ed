import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import express from "express";
import expressStaticGzip from "express-static-gzip";

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
} as const;

/** Sends files of a folder, and only what lies in it: no dotfiles, no listings, nothing by way of `..`. */
export const createStaticFiles = (root: string, cache?: CacheRule): Pages =>
  sending(express.static(root, OPTIONS) as SendFile, cache);

/**
 * The same, where the folder has a `.br` or a `.gz` beside a file that whoever asks can read: those are sent in its place.
 * What lies in the folder is looked up once, here.
 */
export function createCompressedFiles(root: string, cache?: CacheRule): Pages {
  const app = express().disable("x-powered-by");
  const orderPreference = ["br", "gzip"];
  app.use(
    expressStaticGzip(root, { index: false, enableBrotli: true, orderPreference, serveStatic: OPTIONS }),
  );
  return sending(app as SendFile, cache);
}

/** What was asked for cannot be had, such as with an `If-Match` of another file: no fault of ours. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && "status" in error && Number(error.status) >= 400 && Number(error.status) < 500;

function sending(serve: SendFile, cache: CacheRule = () => undefined): Pages {
  return (request, response, path) =>
    new Promise((resolve, reject) => {
      const asked = request.url;
      response.once("close", () => resolve(true));
      response.setHeader("Cache-Control", cache(path) ?? REVALIDATE);
      request.url = path;
      serve(request, response, (error?: unknown) => {
        response.removeHeader("Cache-Control");
        if (asked !== undefined) request.url = asked;
        if (isRefusal(error))
          reject(new ProblemError("INVALID_REQUEST", "The request does not fit the file"));
        else if (error instanceof Error) reject(error);
        else resolve(false);
      });
    });
}
