import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import type { Dispatcher } from "undici";
import { isNeverSent } from "./never-sent.ts";
import type { Replica, Replicas } from "./replicas.ts";

/** Of one connection only; a service's own never reach the client (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const kept: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers)) if (!HOP_BY_HOP.has(name)) kept[name] = headers[name];
  return kept;
}

const RESET = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const CLOSED = new Set(["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (CLOSED.has(String(codeOf(error)))) return new ProblemError("UNAVAILABLE");
  return new ProblemError("UPSTREAM_UNREACHABLE");
}

export interface ExchangeOptions {
  readonly replicas: Pick<Replicas, "inTurn" | "failed">;
  readonly call: Dispatcher.DispatchOptions;
  readonly response: ServerResponse;
  readonly deadlineMs: number;
}

/** One request to a service and its answer, passed to the client as it arrives and as fast as the client reads. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #response: ServerResponse;
  #controller: Dispatcher.DispatchController | undefined;
  #deadline: NodeJS.Timeout | undefined;
  readonly #candidates: Replica[];
  #current: Replica | undefined;
  #mayRepeat: boolean;
  #settled = false;
  #resolve: () => void = () => undefined;
  #reject: (problem: ProblemError) => void = () => undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#response = options.response;
    this.#candidates = [...options.replicas.inTurn()];
    this.#mayRepeat = options.call.method === "GET" || options.call.method === "HEAD";
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#deadline = setTimeout(() => this.#fail(new ProblemError("TIMEOUT")), this.#options.deadlineMs);
      this.#response.on("close", this.#onClose);
      this.#dispatch();
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error("The request was given up"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200 || this.#settled) return;
    clearTimeout(this.#deadline);
    // It is about to stop, and says so before it is asked whether it is ready.
    if (headers["connection"] === "close" && this.#current) this.#options.replicas.failed(this.#current);
    this.#response.on("drain", this.#onDrain);
    this.#response.writeHead(status, endToEnd(headers));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#settled && !this.#response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle();
    this.#response.end();
    this.#resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled || this.#response.headersSent) this.#fail(error);
    else if (isNeverSent(error)) this.#elsewhere(error);
    else if (this.#mayRepeat && RESET.has(String(codeOf(error)))) {
      // A kept connection may end just as it is used; a second one tells whether the service is there.
      this.#mayRepeat = false;
      if (this.#current) this.#candidates.push(this.#current);
      this.#dispatch();
    } else this.#fail(error);
  }

  /** What never reached one process may be sent to another, whatever it asks for. */
  #elsewhere(error: Error): void {
    if (this.#current) this.#options.replicas.failed(this.#current);
    if (this.#candidates.length > 0) this.#dispatch();
    else this.#fail(error);
  }

  #dispatch(): void {
    this.#current = this.#candidates.shift();
    try {
      if (!this.#current) throw new ProblemError("UPSTREAM_UNREACHABLE");
      this.#current.pool.dispatch(this.#options.call, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** An answer that has begun can only be cut off, so that the client sees that it is not whole. */
  #fail(error: unknown): void {
    if (this.#settled) return;
    this.#settle();
    this.#controller?.abort(new Error("The request was given up"));
    if (this.#response.headersSent || this.#response.destroyed) {
      this.#response.destroy();
      this.#resolve();
    } else this.#reject(problemOf(error));
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#deadline);
    this.#response.off("close", this.#onClose);
    this.#response.off("drain", this.#onDrain);
  }

  readonly #onClose = (): void => this.#fail(new Error("The client went away"));
  readonly #onDrain = (): void => this.#controller?.resume();
}
