import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { readJsonBody, sendProblem, sha256Hex, systemClock, withRequestId } from "@hearth/runtime";
import type { Clock, Log } from "@hearth/runtime";
import express from "express";
import type { NextFunction, Request, Response, Router } from "express";
import type { LocalAccess } from "./access/local-access.ts";
import type { LocalApiSettings } from "@hearth/device";
import type { DeviceReader } from "@hearth/store";
import document from "./generated/openapi.json" with { type: "json" };
import { RegisterRoutes } from "./generated/routes.ts";
import { installPorts } from "./http/container.ts";
import { problemFrom } from "./http/errors.ts";
import { exchangeOf, openExchange } from "./http/exchange.ts";
import { sendJson } from "./http/json-text.ts";
import type { ServedDocument } from "./ports.ts";

/** A step before or after the routes; calls `next` if it does not answer. */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

export interface LocalApiDeps {
  readonly reader: DeviceReader;
  readonly access: LocalAccess;
  readonly settings: () => LocalApiSettings;
  /** Of the application. */
  readonly version: string;
  /** Refuses requests for other servers (rule LA4), before anything else. */
  readonly guard: Middleware;
  /** Serves `/docs` and `/static-docs`. Called for every path that the API does not have. */
  readonly documents?: Middleware;
  readonly log: Log;
  readonly clock?: Clock;
}

const MAX_BODY_BYTES = 16 * 1024;
const LOGIN = "/api/auth/login";

function served(version: string): ServedDocument {
  const text = JSON.stringify({ ...document, info: { ...document.info, version } });
  return { text, etag: `"${sha256Hex(text).slice(0, 32)}"` };
}

/** A cross-origin page cannot send this type without a preflight, which is never granted (rule LA4). */
const JSON_TYPE = /^application\/json\s*(;|$)/i;

async function readBody(request: Request, _response: Response, next: NextFunction): Promise<void> {
  const type = request.headers["content-type"];
  if (type !== undefined && !JSON_TYPE.test(type)) throw new ProblemError("UNSUPPORTED_MEDIA_TYPE");
  request.body = await readJsonBody(request, MAX_BODY_BYTES);
  next();
}

const methodsOf = (item: object): readonly string[] =>
  Object.keys(item).flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));

/** Refuses undocumented methods of a documented path, with an `Allow` header. */
function refuseOtherMethods(paths: Readonly<Record<string, object>>): Router {
  const router = express.Router({ caseSensitive: true });
  for (const [template, item] of Object.entries(paths)) {
    const allow = methodsOf(item).join(", ");
    router.all(template.replaceAll(/\{(\w+)\}/g, ":$1"), (_request, response) => {
      response.setHeader("Allow", allow);
      throw new ProblemError("METHOD_NOT_ALLOWED");
    });
  }
  return router;
}

/** The local API as a request listener (rules LA1, LA2, LA4). */
export function createLocalApi(deps: LocalApiDeps): RequestListener {
  const { reader, access, settings, version, guard, documents, log, clock = systemClock } = deps;
  const app = express();
  app
    .disable("x-powered-by")
    .disable("etag")
    .set("query parser", "simple")
    .set("case sensitive routing", true);
  app.response.json = sendJson;
  installPorts(app, { reader, access, settings, version, clock, document: served(version) });

  app.use((request, response, next) => {
    const { requestId } = openExchange(request, response, log);
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    withRequestId(requestId, () => guard(request, response, next));
  });
  app.post(LOGIN, readBody);
  const routes = express.Router({ caseSensitive: true });
  RegisterRoutes(routes);
  app.use((request, response, next) => {
    // Express's router would answer OPTIONS by itself, but preflights get no answer from us (rule LA4).
    if (request.method === "OPTIONS") next();
    else routes(request, response, next);
  });
  app.use(refuseOtherMethods(document.paths));
  if (documents) app.use(documents);
  app.use(() => {
    throw new ProblemError("NOT_FOUND", "There is nothing at this address");
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    sendProblem(response, problemFrom(error, log), exchangeOf(request).requestId);
  });
  return app;
}
