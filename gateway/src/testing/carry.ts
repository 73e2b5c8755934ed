import type { RequestListener } from "node:http";
import { createHttpListener, newRequestId, problemOf, sendProblem, silentLog } from "@hearth/runtime";
import type { HttpListener } from "@hearth/runtime";
import type { Upstream } from "../upstreams/upstream.ts";

/** Carries a twin as the gateway does, without the gateway's guards. */
export async function carry(upstream: Upstream): Promise<HttpListener> {
  const listener: RequestListener = (request, response) => {
    upstream
      .handle(request, response)
      .catch((error: unknown) => sendProblem(response, problemOf(error, silentLog), newRequestId()));
  };
  const door = createHttpListener({
    host: "127.0.0.1",
    port: 0,
    log: silentLog,
    listener,
    onUpgrade: (request, socket, head) => upstream.upgrade(request, socket, head),
    stopLimitMs: 100,
  });
  await door.start();
  return door;
}
