import type { IncomingMessage } from "node:http";
import { ProblemError } from "@hearth/contracts";
import type { OriginPolicy } from "../edge/origins.ts";
import { readRequestPath } from "../edge/request-path.ts";
import { WrongVersion } from "./refusal.ts";

export type Door = "plain" | "socket.io";

const KEY = /^[+/0-9A-Za-z]{22}==$/;

const invalid = (detail: string): ProblemError => new ProblemError("INVALID_REQUEST", detail);

/** GW1: the paths that lead to presence. */
function doorAt(path: string, search: string): Door {
  if (path === "/ws" || path === "/ws/" || path === "/") return "plain";
  if (path !== "/socket.io/" && path !== "/socket.io") {
    throw new ProblemError("NOT_FOUND", "No socket is served at this address");
  }
  if (new URLSearchParams(search).get("transport") === "websocket") return "socket.io";
  throw invalid("Only the websocket transport of Socket.IO is served");
}

export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === "websocket";

/** The door an upgrade leads to. Whatever guards a request guards it, too (GW6). */
export function checkHandshake(request: IncomingMessage, origins: OriginPolicy): Door {
  const { headers, method, url } = request;
  if (method !== "GET" || !isWebSocketUpgrade(request)) throw invalid("This is not a WebSocket upgrade");
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
    throw invalid("An upgrade has no body");
  }
  const { path, search } = readRequestPath(url ?? "/");
  const door = doorAt(path, search);
  if (!origins.allows(headers.origin)) throw new ProblemError("FORBIDDEN", "This origin may not connect");
  if (headers["sec-websocket-version"] !== "13") throw new WrongVersion();
  if (!KEY.test(headers["sec-websocket-key"] ?? "")) throw invalid("Sec-WebSocket-Key is not valid");
  request.url = path + search;
  return door;
}
