import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { newRequestId } from "../context/request-context.ts";
import { createHttpListener } from "../http/listener.ts";
import type { HttpListener } from "../http/listener.ts";
import { sendProblem } from "../http/problem.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { problemOf } from "../errors/problems.ts";

/** Reports whether it would serve a request sent now. Every `ServiceModule` is one. */
export interface Readiness {
  readonly name: string;
  ready(): boolean;
}

export interface InternalServerOptions {
  /** An address that is not reachable from outside. */
  readonly host: string;
  readonly port: number;
  readonly metrics: Metrics;
  readonly modules: readonly Readiness[];
  readonly log: Log;
}

function isReady(module: Readiness): boolean {
  try {
    return module.ready();
  } catch {
    return false;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

const sendReadiness = (response: ServerResponse, modules: readonly Readiness[]): void => {
  const services = Object.fromEntries(modules.map((module) => [module.name, isReady(module)]));
  const ready = Object.values(services).every(Boolean);
  sendJson(response, ready ? 200 : 503, { ready, services });
};

async function route(
  { metrics, modules }: InternalServerOptions,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === "/livez") sendJson(response, 200, { live: true });
  else if (path === "/readyz") sendReadiness(response, modules);
  else if (path === "/metrics") {
    const text = await metrics.text();
    response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
  } else {
    const named = modules.filter(({ name }) => path === `/readyz/${name}`);
    if (named.length === 0) throw new ProblemError("NOT_FOUND");
    sendReadiness(response, named);
  }
}

async function serve(
  options: InternalServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      throw new ProblemError("METHOD_NOT_ALLOWED");
    }
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    await route(options, path, response);
  } catch (error) {
    sendProblem(response, problemOf(error, options.log), newRequestId());
  }
}

/** Serves `/metrics`, `/livez`, `/readyz` and `/readyz/<service>` to operators, on its own port. */
export function createInternalServer(options: InternalServerOptions): HttpListener {
  const { host, port, log } = options;
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void serve(options, request, response);
  return createHttpListener({ name: "internal", host, port, log, listener, stopLimitMs: 1_000 });
}
