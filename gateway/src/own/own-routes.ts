import type { ServerResponse } from "node:http";
import { ProblemError, socketDoorAt } from "@hearth/contracts";
import type { Health } from "@hearth/contracts";
import { sendText, sentText } from "@hearth/runtime";
import type { Pages } from "@hearth/runtime";
import type { OwnRoutes } from "../edge/rest.ts";

export interface OwnRoutesDeps {
  readonly health: () => Promise<Health>;
  /** The OpenAPI document. */
  readonly document: object;
  readonly pages: Pages;
}

const JSON_TYPE = "application/json; charset=utf-8";

function sendHealth(response: ServerResponse, health: Health): void {
  const text = JSON.stringify(health);
  response.writeHead(200, {
    "Content-Type": JSON_TYPE,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  response.end(text);
}

/** Serves the paths that belong to the gateway itself. */
export function createOwnRoutes({ health, document, pages }: OwnRoutesDeps): OwnRoutes {
  const sent = sentText(JSON_TYPE, JSON.stringify(document));

  return async (request, response, { path }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      throw new ProblemError("METHOD_NOT_ALLOWED");
    }
    if (path === "/api/health") {
      sendHealth(response, await health());
    } else if (path === "/api/openapi.json") {
      sendText(request, response, sent);
    } else if (path !== "/" && socketDoorAt(path) !== undefined) {
      throw new ProblemError(
        "INVALID_REQUEST",
        "Only WebSocket upgrades are served here, no other transport",
      );
    } else if (!(await pages(request, response, path))) {
      throw new ProblemError("NOT_FOUND", "There is nothing at this address");
    }
  };
}
