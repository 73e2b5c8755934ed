import type { ServerResponse } from "node:http";
import type { Metrics } from "@hearth/runtime";

/** The metrics of the gateway. Addresses, paths and tokens are never labels. */
export interface GatewayMetrics {
  countRequest(upstream: string, response: ServerResponse): void;
  /** `outcome` is `accepted`, `gone` or the code of the refusal. */
  countUpgrade(outcome: string): void;
  /** `budget` is the name in `RateLimit-Policy`. */
  readonly countBudgetRefusal: (budget: string) => void;
  readonly countRefusedConnection: () => void;
  socketOpened(): void;
  socketClosed(): void;
}

export function createGatewayMetrics(metrics: Metrics): GatewayMetrics {
  const requests = metrics.counter({
    name: "hearth_gateway_requests_total",
    help: "Requests passed on to a service, by status; 499 when the client left first",
    labels: ["upstream", "status"],
  });
  const upgrades = metrics.counter({
    name: "hearth_gateway_upgrades_total",
    help: "WebSocket upgrades, by outcome",
    labels: ["outcome"],
  });
  const overBudget = metrics.counter({
    name: "hearth_gateway_budget_refusals_total",
    help: "Requests refused because an account or an address had used up its budget",
    labels: ["budget"],
  });
  const refusedConnections = metrics.counter({
    name: "hearth_gateway_connections_refused_total",
    help: "HTTP connections refused because their address had reached its limit",
  });
  const sockets = metrics.gauge({
    name: "hearth_gateway_open_sockets",
    help: "Open upgraded connections",
  });
  return {
    countRequest(upstream, response) {
      response.once("close", () => {
        requests.inc({ upstream, status: response.writableFinished ? response.statusCode : 499 });
      });
    },
    countUpgrade: (outcome) => upgrades.inc({ outcome }),
    countBudgetRefusal: (budget) => overBudget.inc({ budget }),
    countRefusedConnection: () => refusedConnections.inc(),
    socketOpened: () => sockets.inc(),
    socketClosed: () => sockets.dec(),
  };
}
