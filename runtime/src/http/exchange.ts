import type { IncomingMessage, ServerResponse } from "node:http";
import { requestIdOr, withRequestId } from "../context/request-context.ts";
import { INTERNAL_HEADERS } from "../identity/headers.ts";
import type { Log } from "../log/log.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** One request and its response, for the access log and the metrics. */
export interface Exchange {
  readonly requestId: string;
  /** The route's pattern; never the path with its values. */
  route: string;
  operation: string;
  userId: string | null;
}

export interface ExchangeRecorder {
  /** Gives the request its id, sets the header of the response and records the exchange at its end. */
  open(request: IncomingMessage, response: ServerResponse): Exchange;
  of(response: ServerResponse): Exchange;
}

/** The client left before it had its response. The status is nginx's. */
const CLIENT_GONE = 499;

export function createExchangeRecorder(service: string, log: Log, metrics: Metrics): ExchangeRecorder {
  const exchanges = new WeakMap<ServerResponse, Exchange>();
  const requests = metrics.counter({
    name: "hearth_http_requests_total",
    help: "HTTP requests answered",
    labels: ["service", "operation", "status"],
  });
  const durations = metrics.histogram({
    name: "hearth_http_request_duration_seconds",
    help: "Time from a request's head to the end of its answer",
    labels: ["service", "operation"],
  });
  const record = (exchange: Exchange, request: IncomingMessage, response: ServerResponse, since: number) => {
    const ms = performance.now() - since;
    const status = response.writableFinished ? response.statusCode : CLIENT_GONE;
    const { operation, route, userId, requestId } = exchange;
    requests.inc({ service, operation, status });
    durations.observe({ service, operation }, ms / 1000);
    const fields = { method: request.method, route, status, ms: Math.round(ms * 10) / 10, userId };
    withRequestId(requestId, () => log.info(fields, "request"));
  };
  return {
    open(request, response) {
      const since = performance.now();
      const requestId = requestIdOr(request.headers[INTERNAL_HEADERS.requestId]);
      const exchange: Exchange = { requestId, route: "unknown", operation: "unknown", userId: null };
      exchanges.set(response, exchange);
      response.setHeader("X-Request-Id", requestId);
      response.once("close", () => record(exchange, request, response, since));
      return exchange;
    },
    of(response) {
      const exchange = exchanges.get(response);
      if (!exchange) throw new Error("The response was not opened by this edge");
      return exchange;
    },
  };
}
