import type { IncomingMessage } from "node:http";
import { ProblemError, socketDoorAt } from "@hearth/contracts";
import { clientAddressOf, INTERNAL_HEADERS, WrongWebSocketVersion } from "@hearth/runtime";
import type { Door, Origin } from "../connection.ts";

const invalid = (message: string): ProblemError => new ProblemError("INVALID_REQUEST", message);

/** The refusal while this node takes no new connections (rule WS15). */
export const draining = (): ProblemError =>
  new ProblemError("UNAVAILABLE", "This node takes no new connections", { retryAfterMs: 1000 });

/** The refusal of a handshake that {@link doorOf} accepts and `ws` does not. */
export const badHandshake = (): ProblemError => invalid("The WebSocket handshake is not valid");

/** The door an upgrade asks for, by its path and query (rule WS1). */
export function doorOf(request: IncomingMessage): Door | ProblemError {
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const door = socketDoorAt(path);
  if (door === undefined) return new ProblemError("NOT_FOUND", "There is no socket at this path");
  if (request.headers["sec-websocket-version"] !== "13") return new WrongWebSocketVersion();
  return door === "plain" ? door : (refusalOfEngine(new URLSearchParams(query)) ?? door);
}

function refusalOfEngine(query: URLSearchParams): ProblemError | null {
  if (query.get("EIO") !== "4") return invalid("Only version 4 of the Engine.IO protocol is served");
  if (query.get("transport") !== "websocket") return invalid("Only the websocket transport is offered");
  if (query.has("sid")) return invalid("A session begins with a WebSocket of its own");
  return null;
}

export function originOf(request: IncomingMessage): Origin {
  const gateway = request.headers[INTERNAL_HEADERS.gateway];
  return {
    clientAddress: clientAddressOf(request),
    gateway: typeof gateway === "string" ? gateway : null,
  };
}
