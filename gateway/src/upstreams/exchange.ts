import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { errorCode } from "@hearth/runtime";
import type { Dispatcher } from "undici";
import { isNeverSent } from "./replicas.ts";
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

const isOf = (codes: ReadonlySet<string>, error: unknown): boolean => codes.has(errorCode(error) ?? "");

function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  return new ProblemError(isOf(CLOSED, error) ? "UNAVAILABLE" : "UPSTREAM_UNREACHABLE");
}

export interface Exchange {
  readonly replicas: Pick<Replicas, "inTurn" | "failed">;
  readonly call: Omit<Dispatcher.RequestOptions, "signal">;
  readonly response: ServerResponse;
  /** Longest wait for the beginning of the answer. */
  readonly deadlineMs: number;
}

/**
 * Sends a request to a service and passes the answer to the client as it arrives and as fast as the client reads. What
 * never reached one process is sent to another; what may be repeated is repeated once, when a kept connection ended as it
 * was used. Rejects with a `ProblemError` while nothing has been answered; an answer that has begun is cut off, so that
 * the client sees that it is not whole.
 */
export async function exchange({ replicas, call, response, deadlineMs }: Exchange): Promise<void> {
  const ending = new AbortController();
  // A request that still waits for a connection does not hear of an abort.
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  const giveUp = (reason: Error): void => {
    ending.abort(reason);
    end(reason);
  };
  const onClose = (): void => giveUp(new Error("The client went away"));
  const deadline = setTimeout(() => giveUp(new ProblemError("TIMEOUT")), deadlineMs);
  response.once("close", onClose);
  const send = (replica: Replica) =>
    replica.pool.stream({ ...call, signal: ending.signal }, ({ statusCode, headers }) => {
      clearTimeout(deadline);
      // It is about to stop, and says so before it is asked whether it is ready.
      if (headers["connection"] === "close") replicas.failed(replica);
      return response.writeHead(statusCode, endToEnd(headers));
    });
  try {
    const isOver = (): boolean => ending.signal.aborted || response.headersSent;
    await Promise.race([sendToAny(replicas, send, call.method, isOver), ended]);
  } catch (error) {
    if (!response.headersSent && !response.destroyed) throw problemOf(error);
    response.destroy();
  } finally {
    clearTimeout(deadline);
    response.off("close", onClose);
  }
}

async function sendToAny(
  replicas: Exchange["replicas"],
  send: (replica: Replica) => Promise<unknown>,
  method: string,
  isOver: () => boolean,
): Promise<void> {
  const candidates = [...replicas.inTurn()];
  let mayRepeat = method === "GET" || method === "HEAD";
  let failure: unknown = new ProblemError("UPSTREAM_UNREACHABLE");
  for (const replica of candidates) {
    try {
      await send(replica);
      return;
    } catch (error) {
      failure = error;
      if (isOver()) throw error;
      if (isNeverSent(error)) replicas.failed(replica);
      else if (mayRepeat && isOf(RESET, error)) {
        // A second try tells whether the service is there.
        mayRepeat = false;
        candidates.push(replica);
      } else throw error;
    }
  }
  throw failure;
}
