import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { LIMITS, ProblemError, allRoutes } from "@hearth/contracts";
import type { RouteContract, RouteOwner } from "@hearth/contracts";
import { newRequestId, problemOf, sendProblem, withRequestId } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import type { Identities } from "../identity/identities.ts";
import type { GatewayMetrics } from "./metrics.ts";
import type { Upstream } from "../upstreams/upstream.ts";
import type { Budgets } from "./budgets.ts";
import { forward } from "./forwarding.ts";
import { isPreflight } from "./origins.ts";
import type { OriginPolicy } from "./origins.ts";
import { readRequestPath } from "./request-path.ts";
import type { RequestPath } from "./request-path.ts";
import type { RequestAddress } from "./client-address.ts";
import { createRouteTable } from "./route-table.ts";
import type { RouteTable } from "./route-table.ts";

export type RoutedOwner = Exclude<RouteOwner, "gateway">;

/** Serves the gateway's own paths: pages, the OpenAPI document, health. Rejects for any other path. */
export type OwnRoutes = (
  request: IncomingMessage,
  response: ServerResponse,
  path: RequestPath,
) => Promise<void>;

export interface RestDeps {
  readonly upstreams: Readonly<Record<RoutedOwner, Upstream>>;
  readonly identities: Identities;
  readonly origins: OriginPolicy;
  readonly addressOf: RequestAddress;
  readonly budgets: Budgets;
  readonly own: OwnRoutes;
  readonly log: Log;
  readonly metrics: GatewayMetrics;
  readonly routes?: readonly RouteContract[];
}

/** Paths below `/api/` that the gateway serves itself. */
const OWN_API: ReadonlySet<string> = new Set(["/api/health", "/api/openapi.json"]);

const isServed = (path: string): boolean =>
  (path === "/api" || path.startsWith("/api/")) && !OWN_API.has(path);

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const ALLOWED_METHODS = [...METHODS].join(", ");

function checkMethod({ method = "" }: IncomingMessage): void {
  if (!METHODS.has(method)) throw new ProblemError("METHOD_NOT_ALLOWED");
}

/** GW7: checks the announced length before the body is read. A body without one is counted as it arrives. */
function checkLength({ headers }: IncomingMessage): void {
  if (Number(headers["content-length"] ?? 0) > LIMITS.httpBodyBytes) {
    throw new ProblemError("PAYLOAD_TOO_LARGE", `A body may have up to ${LIMITS.httpBodyBytes} bytes`);
  }
}

class RestEdge {
  readonly #deps: RestDeps;
  readonly #table: RouteTable;

  constructor(deps: RestDeps) {
    this.#deps = deps;
    this.#table = createRouteTable(deps.routes ?? allRoutes);
  }

  async serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    this.#deps.origins.mark(request, response);
    checkMethod(request);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const path = readRequestPath(request.url ?? "/");
    request.url = path.path + path.search;
    if (!isServed(path.path)) await this.#deps.own(request, response, path);
    else {
      const route = this.#routeOf(request, response, path.path);
      if (route) await this.#pass(request, response, route, requestId);
    }
  }

  /** `undefined` after a response to `OPTIONS`. */
  #routeOf(request: IncomingMessage, response: ServerResponse, path: string): RouteContract | undefined {
    const match = this.#table.find(request.method ?? "", path);
    if (match.kind === "route") return match.route;
    if (match.kind === "none") throw new ProblemError("NOT_FOUND", "There is no such route");
    response.setHeader("Allow", [...match.allow, "OPTIONS"].join(", "));
    if (request.method !== "OPTIONS") throw new ProblemError("METHOD_NOT_ALLOWED");
    response.writeHead(204).end();
    return undefined;
  }

  async #pass(
    request: IncomingMessage,
    response: ServerResponse,
    route: RouteContract,
    requestId: string,
  ): Promise<void> {
    const { upstreams, identities, addressOf, budgets, metrics } = this.#deps;
    if (route.owner === "gateway") throw new ProblemError("NOT_FOUND");
    checkLength(request);
    const upstream = upstreams[route.owner];
    metrics.countRequest(upstream.name, response);
    const clientAddress = addressOf(request);
    await forward(request, response, { route, upstream, requestId, clientAddress, budgets }, identities);
  }

  fail(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
    const { log } = this.#deps;
    const problem = problemOf(error, log, { method: request.method });
    if (problem.status >= 500) log.warn({ code: problem.code, status: problem.status }, "a request failed");
    if (problem.code === "METHOD_NOT_ALLOWED" && !response.hasHeader("Allow")) {
      response.setHeader("Allow", ALLOWED_METHODS);
    }
    sendProblem(response, problem, requestId);
  }
}

/** Handles every request except upgrades. It is the only way to a service. */
export function createRestListener(deps: RestDeps): RequestListener {
  const edge = new RestEdge(deps);
  return (request, response) => {
    const requestId = newRequestId();
    withRequestId(requestId, () => {
      edge
        .serve(request, response, requestId)
        .catch((error: unknown) => edge.fail(error, request, response, requestId));
    });
  };
}
