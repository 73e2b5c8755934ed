import type { Metrics } from "../metrics/metrics.ts";

/** Seconds, from an answer in the same process to one that nearly timed out. */
const LATENCY_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2];

/** The metrics of every bus. */
export interface BusMetrics {
  answered(subject: string, askedAt: number): void;
  failed(subject: string, code: string): void;
  /** Only on a bus with a network connection. */
  connected(connected: boolean): void;
}

export function createBusMetrics(metrics: Metrics | undefined): BusMetrics | undefined {
  if (!metrics) return undefined;
  const failures = metrics.counter({
    name: "hearth_bus_failures_total",
    help: "Requests and events over the bus that were refused or failed",
    labels: ["subject", "code"],
  });
  const latency = metrics.histogram({
    name: "hearth_bus_request_duration_seconds",
    help: "Time from a question to its answer, failures included",
    labels: ["subject"],
    buckets: LATENCY_BUCKETS,
  });
  return {
    connected: (connected) =>
      metrics
        .gauge({ name: "hearth_bus_connected", help: "1 while messages can be sent over the network" })
        .set(connected ? 1 : 0),
    answered: (subject, askedAt) => latency.observe({ subject }, (performance.now() - askedAt) / 1000),
    failed: (subject, code) => failures.inc({ subject, code }),
  };
}
