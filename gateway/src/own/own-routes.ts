import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import type { Health } from "@hearth/contracts";
import { sha256Hex } from "@hearth/runtime";
import type { OwnRoutes } from "../edge/rest.ts";
import type { Pages } from "./pages.ts";

export interface OwnRoutesDeps {
  readonly health: () => Promise<Health>;
  /** The OpenAPI document. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly pages: Pages;
}

const JSON_TYPE = "application/json; charset=utf-8";
const SOCKET_DOORS: ReadonlySet<string> = new Set(["/ws", "/ws/", "/socket.io", "/socket.io/"]);

function sendJson(response: ServerResponse, text: string, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, {
    "Content-Type": JSON_TYPE,
    "Content-Length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

const matches = (request: IncomingMessage, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .some((candidate) => candidate.trim().replace(/^W\//, "") === etag || candidate.trim() === "*");

/** What the gateway answers by itself. */
export function createOwnRoutes({ health, document, pages }: OwnRoutesDeps): OwnRoutes {
  const text = JSON.stringify(document);
  const etag = `"${sha256Hex(text).slice(0, 32)}"`;

  const sendDocument = (request: IncomingMessage, response: ServerResponse): void => {
    const headers = { ETag: etag, "Cache-Control": "no-cache" };
    if (matches(request, etag)) response.writeHead(304, headers).end();
    else sendJson(response, text, headers);
  };

  return async (request, response, { path }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      throw new ProblemError("METHOD_NOT_ALLOWED");
    }
    if (path === "/api/health") {
      sendJson(response, JSON.stringify(await health()), { "Cache-Control": "no-store" });
    } else if (path === "/api/openapi.json") sendDocument(request, response);
    else if (SOCKET_DOORS.has(path)) {
      throw new ProblemError(
        "INVALID_REQUEST",
        "Only WebSocket upgrades are served here, no other transport",
      );
    } else if (!(await pages(request, response, path))) {
      throw new ProblemError("NOT_FOUND", "There is nothing at this address");
    }
  };
}
