import type { ServerResponse } from "node:http";
import type { Metrics } from "@hearth/runtime";

/** What the gateway measures; addresses, paths and tokens are never labels. */
export interface GatewayMetrics {
  countRequest(upstream: string, response: ServerResponse): void;
  /** `outcome` is `accepted` or the code of the refusal. */
  countUpgrade(outcome: string): void;
  socketOpened(): void;
  socketClosed(): void;
}

export function createGatewayMetrics(metrics: Metrics): GatewayMetrics {
  const requests = metrics.counter({
    name: "hearth_gateway_requests_total",
    help: "Requests passed on to a service, by the answer's status; 499 when the client went away first",
    labels: ["upstream", "status"],
  });
  const upgrades = metrics.counter({
    name: "hearth_gateway_upgrades_total",
    help: "WebSocket upgrades, by what became of them",
    labels: ["outcome"],
  });
  const sockets = metrics.gauge({
    name: "hearth_gateway_open_sockets",
    help: "Upgraded connections that are open",
  });
  return {
    countRequest(upstream, response) {
      response.once("close", () => {
        requests.inc({ upstream, status: response.writableFinished ? response.statusCode : 499 });
      });
    },
    countUpgrade: (outcome) => upgrades.inc({ outcome }),
    socketOpened: () => sockets.inc(),
    socketClosed: () => sockets.dec(),
  };
}
