import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bare</title><h1>Welcome back</h1></html>`;

/** One heading and nothing else: the time that a browser needs on this machine to show anything. */
export async function serveBarePage(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
