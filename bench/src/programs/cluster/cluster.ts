import { startBackstage } from "../../cluster/cluster.ts";
import { Results } from "../../figures/results.ts";
import type { Column } from "../../figures/table.ts";
import { startCrossing } from "./crossing.ts";
import { startEntering } from "./entering.ts";
import { clusterGoals } from "./goals.ts";
import { startAlone, startSpread } from "./nodes.ts";
import type { ClusterPart } from "./part.ts";
import { alternating, stopAll } from "./part.ts";
import { startRequests } from "./requests.ts";
import type { Outcome, Program, Run } from "../program.ts";

const columns: readonly Column[] = [
  { metric: "cpuPerMessage", title: "nodes + broker µs CPU/message", digits: 0 },
  { metric: "brokerPerMessage", title: "broker µs/message", digits: 0 },
  { metric: "messagesPerSecond", title: "messages/s", digits: 0 },
  { metric: "cpuPerDelivery", title: "µs CPU/delivery", digits: 2 },
  { metric: "deliveriesPerCpuSecond", title: "deliveries/CPU-s", digits: 0 },
  { metric: "cpuPerRequest", title: "µs CPU/request", digits: 1 },
  { metric: "callerPerRequest", title: "caller µs/request", digits: 1 },
  { metric: "cpuPerConnection", title: "µs CPU/connection", digits: 0 },
  { metric: "perSecond", title: "requests or connections/s", digits: 0 },
  { metric: "p50", title: "p50 ms", digits: 2 },
  { metric: "p99", title: "p99 ms", digits: 2 },
  { metric: "p50Micros", title: "p50 µs", digits: 0 },
  { metric: "p99Micros", title: "p99 µs", digits: 0 },
];

const ACCOUNTS = 100;

const PARTS = {
  crossing: startCrossing,
  alone: startAlone,
  spread: startSpread,
  requests: startRequests,
  entering: startEntering,
};

/** Comparisons whose limit is near 1. */
const BY_PROCESS: ReadonlySet<string> = new Set(["crossing", "alone"]);

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  run.progress("starting brokers and nodes");
  const backstage = await startBackstage(run.cores, run.quick ? 40 : ACCOUNTS);
  const parts: ClusterPart[] = [];
  for (const [name, start] of Object.entries(PARTS)) {
    if (run.part !== undefined && run.part !== name) continue;
    const once = (): Promise<ClusterPart> => start(run, backstage);
    parts.push(run.quick || !BY_PROCESS.has(name) ? await once() : await alternating(once));
  }
  // The first round warms the servers up and is not counted.
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${run.repetitions}`);
    for (const part of parts) {
      await part.measure(repetition > 0 ? results : undefined, run.quick || repetition === 0);
    }
  }
  await stopAll([...parts, backstage.services, backstage.nats]);
  return {
    results,
    notes: [
      "All nodes share core 0; brokers, the other services and whoever answers share core 1 with the load client.",
      "A sender has a burst of 180 messages, then the next one sends, into a room of its own with the same receivers.",
    ],
  };
}

export const cluster: Program = {
  name: "cluster",
  summary: "presence nodes with NATS and Redis: between nodes, on one to three, requests, identify",
  parts: Object.keys(PARTS),
  columns,
  goals: clusterGoals,
  run,
};
