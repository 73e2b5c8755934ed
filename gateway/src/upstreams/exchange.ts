import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { ProblemError } from "@hearth/contracts";
import { errorCode } from "@hearth/runtime";
import type { Dispatcher } from "undici";
import { isNeverSent } from "./replicas.ts";
import type { Replica, Replicas } from "./replicas.ts";

/** Headers of one connection only. Those of a service never reach the client (RFC 9110, section 7.6.1). */
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
  readonly replicas: Pick<Replicas, "inTurn" | "markFailed">;
  readonly call: Omit<Dispatcher.RequestOptions, "signal">;
  readonly response: ServerResponse;
  /** How long to wait for the head of the response. */
  readonly deadlineMs: number;
}

/**
 * Sends a request to a service and streams the response to the client. A request that never reached one process is sent to
 * another. `GET` and `HEAD` are repeated once, when a kept connection ended as it was used. Rejects with a `ProblemError`
 * before the response has begun; later it cuts the response off, so that the client sees that it is incomplete.
 */
export async function exchange({ replicas, call, response, deadlineMs }: Exchange): Promise<void> {
  const ending = new AbortController();
  // undici does not reject a request that still waits for a connection when it is aborted.
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
      // The process is about to stop, and says so before the next look at its readiness.
      if (headers["connection"] === "close") replicas.markFailed(replica);
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
      if (isNeverSent(error)) replicas.markFailed(replica);
      else if (mayRepeat && isOf(RESET, error)) {
        // A second attempt shows whether the service is there.
        mayRepeat = false;
        candidates.push(replica);
      } else throw error;
    }
  }
  throw failure;
}
