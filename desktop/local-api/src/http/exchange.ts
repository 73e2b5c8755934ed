import type { IncomingMessage, ServerResponse } from "node:http";
import { newRequestId, withRequestId } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import type { LocalTokenInfo } from "@hearth/bridge";

/** One request and its response, for the access log. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  /** The verified token of the request. */
  token: LocalTokenInfo | null;
}

interface RoutedRequest extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}

/** The client closed the connection before the response; the status is nginx's. */
const CLIENT_GONE = 499;

const exchanges = new WeakMap<IncomingMessage, Exchange>();

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error("The request was not opened by the local API");
  return exchange;
}

/** The route's pattern, never the actual path: what a user reads is private. */
const patternOf = ({ route }: RoutedRequest): string =>
  typeof route?.path === "string" ? route.path : "unknown";

function record(log: Log, request: RoutedRequest, response: ServerResponse, exchange: Exchange): void {
  const { requestId, startedAt, token } = exchange;
  const fields = {
    requestId,
    method: request.method,
    route: patternOf(request),
    status: response.writableFinished ? response.statusCode : CLIENT_GONE,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
    tokenId: token?.id ?? null,
  };
  // The line names its request itself, because it may be written in the context of another one.
  withRequestId(undefined, () => log.info(fields, "request"));
}

/** Assigns a request id and logs the request when it ends. Ids from clients are ignored. */
export function openExchange(request: IncomingMessage, response: ServerResponse, log: Log): Exchange {
  const exchange: Exchange = { requestId: newRequestId(), startedAt: performance.now(), token: null };
  exchanges.set(request, exchange);
  response.once("close", () => record(log, request, response, exchange));
  return exchange;
}
