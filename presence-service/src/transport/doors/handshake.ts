import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { clientAddressOf, INTERNAL_HEADERS, problemBody, problemHeaders, requestIdOr } from "@hearth/runtime";
import type { Door, Origin } from "../connection.ts";

/** Why an upgrade is not taken. */
export interface Refusal {
  readonly problem: ProblemError;
  /** Where it differs from the problem's own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const PLAIN_PATHS: ReadonlySet<string> = new Set(["/", "/ws", "/ws/"]);
const SOCKETIO_PATHS: ReadonlySet<string> = new Set(["/socket.io", "/socket.io/"]);

const invalid = (message: string): Refusal => ({ problem: new ProblemError("INVALID_REQUEST", message) });

/** Answered while this node takes no new connections (rule WS15). */
export const draining = (): Refusal => ({
  problem: new ProblemError("UNAVAILABLE", "This node takes no new connections", { retryAfterMs: 1000 }),
});

/** What `ws` objects to and {@link doorOf} does not look at. */
export const badHandshake = (): Refusal => invalid("The WebSocket handshake is not valid");

const upgradeRequired = (): Refusal => ({
  ...invalid("Only version 13 of the WebSocket protocol is spoken here"),
  status: 426,
  headers: { Upgrade: "websocket", "Sec-WebSocket-Version": "13" },
});

/** The door an upgrade asks for, by its path and query (rule WS1). */
export function doorOf(request: IncomingMessage): Door | Refusal {
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const door = PLAIN_PATHS.has(path) ? "plain" : SOCKETIO_PATHS.has(path) ? "socketio" : null;
  if (door === null) return { problem: new ProblemError("NOT_FOUND", "There is no socket at this path") };
  if (request.headers["sec-websocket-version"] !== "13") return upgradeRequired();
  return door === "plain" ? door : (refusalOfEngine(new URLSearchParams(query)) ?? door);
}

function refusalOfEngine(query: URLSearchParams): Refusal | null {
  if (query.get("EIO") !== "4") return invalid("Only version 4 of the Engine.IO protocol is spoken here");
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

/** Answers an upgrade with an error in the shape of rule ER1, and ends it. */
export function refuseUpgrade(request: IncomingMessage, socket: Duplex, refusal: Refusal): void {
  const { problem, status = problem.status } = refusal;
  const requestId = requestIdOr(request.headers[INTERNAL_HEADERS.requestId]);
  const body = JSON.stringify({ ...problemBody(problem, requestId), status });
  const headers = {
    Connection: "close",
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Request-Id": requestId,
    ...problemHeaders(problem),
    ...refusal.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", body].join("\r\n"));
}
