import { createServer } from "node:http";
import { host, port } from "../peers/address.ts";
import { runLanes } from "../proxy/lanes.ts";

/** `/?ms=…&inFlight=…` asks for so long, so many questions at a time, and says how often that was answered. */
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
