import type { IncomingMessage } from "node:http";
import { ProblemError, socketDoorAt } from "@hearth/contracts";
import { WrongWebSocketVersion } from "@hearth/runtime";
import type { OriginPolicy } from "../edge/origins.ts";
import { readRequestPath } from "../edge/request-path.ts";

const KEY = /^[+/0-9A-Za-z]{22}==$/;

const invalid = (detail: string): ProblemError => new ProblemError("INVALID_REQUEST", detail);

/** GW1: the paths that lead to presence. */
function checkDoor(path: string, search: string): void {
  const door = socketDoorAt(path);
  if (door === undefined) throw new ProblemError("NOT_FOUND", "No socket is served at this address");
  if (door === "socketio" && new URLSearchParams(search).get("transport") !== "websocket")
    throw invalid("Only the websocket transport of Socket.IO is served");
}

export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.trim().toLowerCase() === "websocket";

/** Throws for an upgrade that presence must not see: the checks of a request hold for it too (GW6). */
export function checkHandshake(request: IncomingMessage, origins: OriginPolicy): void {
  const { headers, method, url } = request;
  if (method !== "GET" || !isWebSocketUpgrade(request)) throw invalid("This is not a WebSocket upgrade");
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
    throw invalid("An upgrade has no body");
  }
  const { path, search } = readRequestPath(url ?? "/");
  checkDoor(path, search);
  if (!origins.allows(headers.origin)) throw new ProblemError("FORBIDDEN", "This origin may not connect");
  if (headers["sec-websocket-version"] !== "13") throw new WrongWebSocketVersion();
  if (!KEY.test(headers["sec-websocket-key"] ?? "")) throw invalid("Sec-WebSocket-Key is not valid");
  request.url = path + search;
}
