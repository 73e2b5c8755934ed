import type { Metrics } from "@hearth/runtime";

export const createDiscoveryMetrics = (metrics: Metrics) => ({
  joins: metrics.counter({
    name: "hearth_discovery_joins_total",
    help: "Joins over REST and the bus; `member` came back to a server of theirs",
    labels: ["outcome"],
  }),
  searches: metrics.counter({
    name: "hearth_discovery_searches_total",
    help: "First pages of searches",
    labels: ["found"],
  }),
});
