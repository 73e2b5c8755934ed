import { createServer } from "node:http";
import { host, port } from "../peers/address.ts";
import { runLanes } from "../proxy/lanes.ts";

/** `/?ms=…&inFlight=…` makes requests for this time with this many in flight, and returns the number of responses. */
export function serveLoad(ask: () => Promise<unknown>): void {
  createServer((request, response) => {
    const asked = new URL(request.url ?? "/", "http://bench").searchParams;
    const lanes = Array.from({ length: Number(asked.get("inFlight")) }, () => ask);
    runLanes(lanes, Number(asked.get("ms")), undefined).then(
      (sample) => response.end(JSON.stringify(sample)),
      (error: unknown) => response.writeHead(500).end(JSON.stringify(String(error))),
    );
  }).listen(port, host);
}
