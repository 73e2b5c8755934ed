import type { IncomingMessage, ServerResponse } from "node:http";
import express from "express";

/** Sends what is at a path, without its query; `false` when there is nothing, and then nothing was sent. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;

/** For how long a browser may use a file without asking; it asks about all others each time. */
export type CacheRule = (path: string) => string | undefined;

type SendFile = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

const REVALIDATE = "no-cache";

/** Sends files of a folder, and only what lies in it: no dotfiles, no listings, nothing by way of `..`. */
export function createStaticFiles(root: string, cache: CacheRule = () => undefined): Pages {
  const options = { index: false, redirect: false, dotfiles: "ignore", cacheControl: false };
  const serve = express.static(root, options) as SendFile;
  return (request, response, path) =>
    new Promise((resolve, reject) => {
      const asked = request.url;
      response.once("close", () => resolve(true));
      response.setHeader("Cache-Control", cache(path) ?? REVALIDATE);
      request.url = path;
      serve(request, response, (error?: unknown) => {
        response.removeHeader("Cache-Control");
        if (asked !== undefined) request.url = asked;
        if (error instanceof Error) reject(error);
        else resolve(false);
      });
    });
}
