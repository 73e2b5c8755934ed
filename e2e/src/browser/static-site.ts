import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { WINDOW_POLICY } from "../window/policy.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface StaticSite extends AsyncDisposable {
  readonly url: string;
}

/** Serves the files of a folder under the window's policy, on a free port of the loopback. */
export async function serveFolder(folder: string): Promise<StaticSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://window");
    const isPlace = path.extname(pathname) === "";
    const file = path.join(folder, isPlace ? "index.html" : path.normalize(pathname));
    readFile(file).then(
      (body) => {
        response.setHeader("content-type", TYPES[path.extname(file)] ?? "application/octet-stream");
        response.setHeader("content-security-policy", WINDOW_POLICY).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
