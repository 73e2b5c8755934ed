import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** From so many waiting requests on, nothing more is read from their connection. */
const PAUSE_AT = 16;

/** Of all connections: one read of 64 KiB may bring 2,000 requests. The connection of the next one is ended. */
const MAX_WAITING = 5_000;

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Hands over the requests of each connection one at a time (rule AB2). Node starts every pipelined request as soon as
 * it is parsed, and tells the responses behind the first one nothing when their connection ends: whatever they hold
 * would be held for good.
 */
export class RequestTurns {
  readonly #serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly #turns = new WeakMap<Duplex, Turn>();
  #waiting = 0;

  constructor(serve: (request: IncomingMessage, response: ServerResponse) => void) {
    this.#serve = serve;
  }

  /** Serves the request now, or when the ones before it have been answered, or never if the connection ends first. */
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

  /** The exchange under way on a connection, if there is one. */
  current(socket: Duplex): Readonly<Pick<Turn, "request" | "response">> | undefined {
    const turn = this.#turns.get(socket);
    return turn && !turn.response.closed ? turn : undefined;
  }

  /** Runs now, or when every request that was taken has been answered, or never if the connection ends first. */
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
