import type { Metrics } from "@hearth/runtime";

/** The metrics of presence, apart from those of its transport. */
export type PresenceMetrics = ReturnType<typeof createPresenceMetrics>;

export const createPresenceMetrics = (metrics: Metrics) => ({
  identifies: metrics.counter({
    name: "hearth_presence_identifies_total",
    help: "Answers to identify",
    labels: ["outcome"],
  }),
  relays: metrics.counter({
    name: "hearth_presence_relays_total",
    help: "Messages relayed",
    labels: ["type"],
  }),
  refusals: metrics.counter({
    name: "hearth_presence_refusals_total",
    help: "Messages refused; RATE_LIMITED counts the hits of the limiter",
    labels: ["code"],
  }),
  identified: metrics.gauge({
    name: "hearth_presence_identified_connections",
    help: "Connections that have identified",
  }),
  messageSeconds: metrics.histogram({
    name: "hearth_presence_message_seconds",
    help: "Handling of a message, from its turn in the queue to its answer",
    labels: ["type"],
  }),
});
