import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** With this many waiting requests on a connection, nothing more is read from it. */
const PAUSE_AT = 16;

/** Over all connections; one read of 64 KiB may bring 2,000 requests. The connection of the next request is ended. */
const MAX_WAITING = 5_000;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Serves the requests of each connection one at a time (rule AB2). Node starts every pipelined request as soon as it is
 * parsed, and does not tell the waiting responses when their connection ends, so what they hold would leak.
 */
export class RequestTurns {
  readonly #serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly #turns = new WeakMap<Duplex, Turn>();
  #waiting = 0;

  constructor(serve: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#serve = serve;
  }

  /** Serves the request once all earlier ones are answered, or never if the connection ends before. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const turn = this.#turns.get(socket);
    if (!turn) this.#turns.set(socket, { request, response, waiting: [] });
    else if (!turn.response.closed) {
      this.#wait(turn, request, response);
      return;
    } else {
      turn.request = request;
      turn.response = response;
    }
    this.#serve(request, response);
  }

  /** The exchange in progress on a connection, if any. */
  current(socket: Duplex): Readonly<Pick<Turn, "request" | "response">> | undefined {
    const turn = this.#turns.get(socket);
    return turn && !turn.response.closed ? turn : undefined;
  }

  /** Runs once every request taken so far is answered, or never if the connection ends before. */
  afterAll(socket: Duplex, run: () => void): void {
    const current = this.current(socket);
    if (!current) run();
    else current.response.once("close", () => socket.writable && this.afterAll(socket, run));
  }

  #wait(turn: Turn, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (this.#waiting >= MAX_WAITING || socket.destroyed) {
      socket.destroy();
      return;
    }
    this.#waiting += 1;
    const waiting = turn.waiting.push([request, response]);
    if (waiting === 1) turn.response.once("close", () => this.#next(turn, socket));
    // Node resumes a connection at the end of each parsed message, so the pause comes after that.
    if (waiting === PAUSE_AT) setImmediate(() => turn.waiting.length > 0 && socket.pause());
  }

  #next(turn: Turn, socket: IncomingMessage["socket"]): void {
    const next = socket.writable ? turn.waiting.shift() : undefined;
    if (!next) {
      this.#waiting -= turn.waiting.length;
      turn.waiting.length = 0;
      return;
    }
    this.#waiting -= 1;
    [turn.request, turn.response] = next;
    if (turn.waiting.length > 0) turn.response.once("close", () => this.#next(turn, socket));
    else if (socket.isPaused()) socket.resume();
    this.#serve(turn.request, turn.response);
  }
}
