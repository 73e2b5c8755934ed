import type { RequestListener, ServerResponse } from "node:http";
import express from "express";
import type { NextFunction, Request, Response, Router } from "express";
import { ProblemError } from "@hearth/contracts";
import type { Quota, RouteContract } from "@hearth/contracts";
import { withRequestId } from "../context/request-context.ts";
import { bearerToken } from "../identity/bearer.ts";
import type { JwtVerifier } from "../identity/jwt-verifier.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { invalidRequest, problemOf } from "../errors/problems.ts";
import type { Actor } from "../identity/jwt-verifier.ts";
import { createExchangeRecorder } from "./exchange.ts";
import type { ExchangeRecorder } from "./exchange.ts";
import type { Handlers } from "./handler.ts";
import { checkedInput, clientAddressOf } from "./input.ts";
import type { CheckedInput } from "./input.ts";
import { quotaHeaders, sendProblem } from "./problem.ts";

export interface HttpEdgeOptions {
  /** The name of the service in metrics. */
  readonly service: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Verifies the internal JWT. Required for routes with `bearer` or `optional`. */
  readonly identity?: JwtVerifier;
  /** Also checks the responses of handlers, and sends `INTERNAL` for a bad one; for tests and development. */
  readonly validateAnswers?: boolean;
}

/** Turns route contracts and handlers into a request listener that keeps rules ER1 to ER6 and GW7. */
export interface HttpEdge {
  mount<Routes extends Readonly<Record<string, RouteContract>>>(
    routes: Routes,
    handlers: Handlers<Routes>,
  ): void;
  listener(): RequestListener;
}

interface AnyInput extends CheckedInput {
  readonly actor: Actor | null;
  readonly clientAddress: string;
  readonly userAgent: string | null;
  readonly reportQuota: (quota: Quota) => void;
}
type AnyHandler = (input: AnyInput) => Promise<unknown>;

function answer(response: ServerResponse, status: number, body: unknown): void {
  if (response.writableEnded || response.destroyed) return;
  response.setHeader("Cache-Control", "no-store");
  if (status === 204) {
    response.writeHead(204).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

const setHeaders = (response: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

/** Express's own refusals, such as of `%E0%A4%A` in a path, have the status 400. */
const isBadUrl = (error: unknown): boolean =>
  !(error instanceof ProblemError) &&
  typeof error === "object" &&
  error !== null &&
  "status" in error &&
  error.status === 400;

class ExpressEdge implements HttpEdge {
  readonly #options: HttpEdgeOptions;
  readonly #recorder: ExchangeRecorder;
  readonly #routes: Router = express.Router({ caseSensitive: true });
  readonly #paths: Router = express.Router({ caseSensitive: true });
  readonly #methods = new Map<string, string[]>();
  readonly #allowed = new WeakMap<ServerResponse, Set<string>>();
  readonly #app = express();

  constructor(options: HttpEdgeOptions) {
    this.#options = options;
    this.#recorder = createExchangeRecorder(options.service, options.log, options.metrics);
    this.#app.disable("x-powered-by").disable("etag");
    this.#app.use((request, response, next) => {
      const { requestId } = this.#recorder.open(request, response);
      withRequestId(requestId, () => next());
    });
    this.#app.use((request, response, next) => {
      if (request.method === "OPTIONS") next();
      else this.#routes(request, response, next);
    });
    this.#app.use(this.#paths);
    this.#app.use((request, response) => this.#unmatched(request, response));
    this.#app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
      this.#fail(error, response);
    });
  }

  listener(): RequestListener {
    return this.#app;
  }

  mount<Routes extends Readonly<Record<string, RouteContract>>>(
    routes: Routes,
    handlers: Handlers<Routes>,
  ): void {
    for (const [name, route] of Object.entries(routes)) {
      if (route.auth !== "none" && !this.#options.identity) {
        throw new Error(`${route.operationId} needs an identity, and the edge was made without one`);
      }
      const handler = handlers[name] as unknown as AnyHandler;
      this.#routes[route.method](route.path, (request, response) =>
        this.#serve(route, handler, request, response),
      );
      this.#remember(route);
    }
  }

  async #serve(
    route: RouteContract,
    handler: AnyHandler,
    request: Request,
    response: Response,
  ): Promise<void> {
    const exchange = this.#recorder.of(response);
    exchange.route = route.path;
    exchange.operation = route.operationId;
    const actor = await this.#actorOf(route, request);
    exchange.userId = actor?.userId ?? null;
    const input = await checkedInput(route, request);
    const result = await handler({
      ...input,
      actor,
      clientAddress: clientAddressOf(request),
      userAgent: request.headers["user-agent"] ?? null,
      reportQuota: (quota) => setHeaders(response, quotaHeaders(quota)),
    });
    this.#checkAnswer(route, result);
    answer(response, route.success.status, result);
  }

  async #actorOf(route: RouteContract, request: Request): Promise<Actor | null> {
    const { identity } = this.#options;
    if (route.auth === "none" || !identity) return null;
    const jwt = bearerToken(request);
    if (route.auth === "bearer") {
      if (jwt === undefined) throw new ProblemError("AUTH_REQUIRED");
      return identity.verify(jwt);
    }
    if (jwt === undefined) return null;
    return identity.verify(jwt).catch((error: unknown) => {
      if (error instanceof ProblemError && error.code === "AUTH_INVALID") return null;
      throw error;
    });
  }

  #checkAnswer(route: RouteContract, result: unknown): void {
    if (!this.#options.validateAnswers) return;
    const checked = route.success.schema?.safeParse(result);
    if (checked?.success === false) {
      const { errors } = invalidRequest(checked.error).extras;
      throw new Error(`${route.operationId} answers what its contract does not: ${JSON.stringify(errors)}`);
    }
  }

  /** All methods of a path, for `Allow`. Patterns may overlap, so it collects from each that matches. */
  #remember(route: RouteContract): void {
    const known = this.#methods.get(route.path);
    const methods = known ?? [];
    methods.push(route.method.toUpperCase());
    if (route.method === "get") methods.push("HEAD");
    if (known) return;
    this.#methods.set(route.path, methods);
    this.#paths.all(route.path, (_request, response, next) => {
      const allowed = this.#allowed.get(response) ?? new Set();
      for (const method of methods) allowed.add(method);
      this.#allowed.set(response, allowed);
      next();
    });
  }

  #unmatched(request: Request, response: Response): void {
    const allowed = this.#allowed.get(response);
    if (!allowed) throw new ProblemError("NOT_FOUND");
    response.setHeader("Allow", [...allowed, "OPTIONS"].join(", "));
    if (request.method !== "OPTIONS") throw new ProblemError("METHOD_NOT_ALLOWED");
    answer(response, 204, undefined);
  }

  #fail(error: unknown, response: Response): void {
    const { requestId, operation } = this.#recorder.of(response);
    const problem = isBadUrl(error)
      ? new ProblemError("INVALID_REQUEST", "The URL is malformed")
      : problemOf(error, this.#options.log, { operation });
    sendProblem(response, problem, requestId);
  }
}

export const createHttpEdge = (options: HttpEdgeOptions): HttpEdge => new ExpressEdge(options);
