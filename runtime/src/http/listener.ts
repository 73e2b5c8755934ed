import { METHODS as KNOWN_METHODS, createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import { newRequestId } from "../context/request-context.ts";
import { errorCode } from "../errors/error-code.ts";
import type { Log } from "../log/log.ts";
import { StartError } from "../errors/start-error.ts";
import { Connections } from "./connections.ts";
import type { ConnectionLimits } from "./connections.ts";
import { encodedBody, hasEncodedBody } from "./json-body.ts";
import { sendProblem } from "./problem.ts";
import { sendRawProblem } from "./raw-problem.ts";
import { RequestTurns } from "./request-turns.ts";

export interface HttpListenerOptions {
  /** The name in the log of the lifecycle; default `http`. */
  readonly name?: string;
  readonly host: string;
  /** 0 lets the operating system choose; see {@link HttpListener.port}. */
  readonly port: number;
  readonly listener: RequestListener;
  /** Takes over WebSocket upgrades. Without it, and for other protocols, the request is served like any other. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly log: Log;
  /** How long `stop` waits for responses in progress; default 2,500. */
  readonly stopLimitMs?: number;
  readonly limits?: ConnectionLimits;
}

/** An HTTP server with strict parsing, limits and an orderly stop. */
export interface HttpListener {
  readonly name: string;
  /** The port in use; 0 before `start`. */
  readonly port: number;
  /** Rejects with a `StartError` when the address cannot be used. */
  start(): Promise<void>;
  /** Stops accepting, lets responses in progress finish and cuts off the rest. Does not touch upgraded sockets. */
  stop(): Promise<void>;
}

const SERVER_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 12_000,
  requestTimeout: 30_000,
  /** Longer than a proxy in front keeps its side open, so that this side never closes just as a request arrives. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  /** Checked here instead, so that the refusal is a problem. */
  requireHostHeader: false,
  noDelay: true,
} as const;

const MALFORMED = "malformed request refused";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

const invalid = (detail: string): ProblemError => new ProblemError("INVALID_REQUEST", detail);

function hostCount({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}

/**
 * Why a request is refused whatever it asks for: two parts of a system may read two `Host` headers, or an unusual
 * transfer encoding, in different ways.
 */
function flawOf(request: IncomingMessage): string | undefined {
  const hosts = hostCount(request);
  if (hosts > 1) return "More than one Host header";
  if (hosts === 0 && request.httpVersion !== "1.0") return "The Host header is missing";
  const encoding = request.headers["transfer-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked")
    return "The transfer encoding is unknown";
  return undefined;
}

/** Shared by all upgraded sockets: a closure for each would keep its request in memory. */
function destroySelf(this: Duplex): void {
  this.destroy();
}

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

const CLIENT_ERRORS = new Map<string | undefined, readonly [status: number, detail: string]>([
  ["HPE_HEADER_OVERFLOW", [431, "The request's headers are too large"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "The request took too long to arrive"]],
]);

/** Node's parser has a list of methods. An unknown one is refused like one that is not allowed. */
function isUnknownMethod(error: Error): boolean {
  if (errorCode(error) !== "HPE_INVALID_METHOD" || !("rawPacket" in error)) return false;
  if (!Buffer.isBuffer(error.rawPacket)) return false;
  const [, word] = /^([A-Z][A-Z-]{1,31}) /.exec(error.rawPacket.toString("latin1", 0, 40)) ?? [];
  // A known method belongs to a request before the malformed one.
  return word !== undefined && !KNOWN_METHODS.includes(word);
}

class NodeHttpListener implements HttpListener {
  readonly name: string;
  readonly #options: HttpListenerOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #turns = new RequestTurns((request, response) => this.#serve(request, response));
  readonly #malformed = new WeakSet<Duplex>();
  #stopping: Promise<void> | undefined;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.name = options.name ?? "http";
    const upgrades = options.onUpgrade !== undefined;
    this.#server = createServer(
      { ...SERVER_OPTIONS, shouldUpgradeCallback: (request) => upgrades && isWebSocket(request) },
      (request, response) => this.#turns.take(request, response),
    );
    this.#connections = new Connections(this.#server, options.limits);
    this.#server.on("upgrade", (request, socket, head) => {
      socket.on("error", destroySelf);
      this.#turns.afterAll(socket, () => this.#upgrade(request, socket, head));
    });
    this.#server.on("connect", (_request, socket) => {
      socket.on("error", destroySelf);
      this.#turns.afterAll(socket, () => this.#refuseTunnel(socket));
    });
    this.#server.on("clientError", (error, socket) => this.#refuse(error, socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  start(): Promise<void> {
    const { host, port, log } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(cannotListen(error, host, port));
      this.#server.once("error", fail);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", fail);
        // Such as EMFILE on accept. Existing connections continue.
        this.#server.on("error", (error) => log.error({ err: error }, "the HTTP server reports an error"));
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#finish();
    return this.#stopping;
  }

  async #finish(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    await this.#connections.finish(this.#options.stopLimitMs ?? 2_500);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#stopping) response.shouldKeepAlive = false;
    const flaw = flawOf(request);
    if (flaw !== undefined) {
      this.#options.log.info({ status: 400, flaw }, MALFORMED);
      response.shouldKeepAlive = false;
      sendProblem(response, invalid(flaw), newRequestId());
    } else if (request.method === "TRACE") {
      response.setHeader("Allow", METHODS);
      sendProblem(response, new ProblemError("METHOD_NOT_ALLOWED"), newRequestId());
    } else if (hasEncodedBody(request)) {
      sendProblem(response, encodedBody(), newRequestId());
    } else this.#options.listener(request, response);
  }

  #refuseTunnel(socket: Duplex): void {
    this.#connections.release(socket);
    sendRawProblem(socket, new ProblemError("METHOD_NOT_ALLOWED"), newRequestId());
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#connections.release(socket);
    const { onUpgrade, log } = this.#options;
    if (this.#stopping || !onUpgrade) {
      sendRawProblem(socket, new ProblemError("UNAVAILABLE"), newRequestId());
      return;
    }
    const flaw = flawOf(request);
    if (flaw !== undefined) {
      sendRawProblem(socket, invalid(flaw), newRequestId());
      return;
    }
    try {
      onUpgrade(request, socket, head);
    } catch (error) {
      log.error({ err: error }, "an upgrade failed");
      sendRawProblem(socket, new ProblemError("INTERNAL"), newRequestId());
    }
  }

  /** Refuses a malformed or slow request. It must never write into the middle of another response. */
  #refuse(error: Error, socket: Duplex): void {
    if (errorCode(error) === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    if (this.#malformed.has(socket)) return;
    this.#malformed.add(socket);
    const current = this.#turns.current(socket);
    if (!current || current.request.complete) {
      this.#turns.afterAll(socket, () => this.#refuseUnanswered(error, socket));
    } else if (current.response.headersSent) socket.destroy();
    else {
      const [, detail] = this.#refusalOf(error);
      current.response.shouldKeepAlive = false;
      sendProblem(current.response, invalid(detail), newRequestId());
    }
  }

  #refuseUnanswered(error: Error, socket: Duplex): void {
    const [status, detail] = this.#refusalOf(error);
    if (status === 405) {
      sendRawProblem(socket, new ProblemError("METHOD_NOT_ALLOWED"), newRequestId(), status, {
        Allow: METHODS,
      });
    } else sendRawProblem(socket, invalid(detail), newRequestId(), status);
  }

  #refusalOf(error: Error): readonly [status: number, detail: string] {
    const code = errorCode(error);
    const known = isUnknownMethod(error)
      ? ([405, "The method is unknown"] as const)
      : CLIENT_ERRORS.get(code);
    const refusal = known ?? ([400, "The request is malformed"] as const);
    // Anybody can cause this line at will, so it holds neither a stack nor what was sent.
    this.#options.log.info({ status: refusal[0], code }, MALFORMED);
    return refusal;
  }
}

const REASONS = new Map<string | undefined, string>([
  ["EADDRINUSE", "is in use by another program"],
  ["EACCES", "may not be used by this user"],
  ["EADDRNOTAVAIL", "is not an address of this machine"],
]);

function cannotListen(error: Error, host: string, port: number): StartError {
  const code = errorCode(error);
  const reason = REASONS.get(code) ?? `cannot be listened on (${code ?? "unknown error"})`;
  return new StartError(`Port ${port} on ${host} ${reason}`, { cause: error });
}

export const createHttpListener = (options: HttpListenerOptions): HttpListener =>
  new NodeHttpListener(options);
