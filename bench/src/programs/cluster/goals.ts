import type { Goal } from "../../figures/goals.ts";
import { ALONE } from "./alone.ts";
import { crossingOf } from "./crossing.ts";
import { IDENTIFY } from "./entering.ts";
import { requestsOf } from "./requests.ts";
import { workOf } from "../fanout.ts";
import { CLUSTER, OURS, PEERS } from "../names.ts";

const crossing = (
  inFlight: number,
  metric: string,
  kind: Goal["kind"],
  limit: number,
  title: string,
): Goal => ({
  title: `${title}, ${crossingOf(100, inFlight)}`,
  work: crossingOf(100, inFlight),
  subject: OURS.plain,
  against: PEERS.adapter,
  metric,
  kind,
  limit,
});

const alone = (receivers: number, inFlight: number): Goal => ({
  title: `CPU of node and brokers on one node, ${workOf(receivers, inFlight)}`,
  work: workOf(receivers, inFlight),
  subject: CLUSTER.nodes(1),
  against: CLUSTER.embedded,
  metric: "cpuPerDelivery",
  kind: "at most",
  limit: 1.1,
});

const requests = (title: string, limit: number): Goal => ({
  title: `${title}, ${requestsOf(64)}`,
  work: requestsOf(64),
  subject: CLUSTER.overNats,
  against: PEERS.natsRequest,
  metric: "perSecond",
  kind: "at least",
  limit,
});

const entering = (title: string, subject: string): Goal => ({
  title: `${title}, ${IDENTIFY}`,
  work: IDENTIFY,
  subject,
  against: CLUSTER.embedded,
  metric: "cpuPerConnection",
  kind: "at most",
  limit: 1.3,
});

export const clusterGoals: readonly Goal[] = [
  crossing(1, "cpuPerMessage", "at most", 0.85, "CPU of nodes and broker"),
  crossing(16, "cpuPerMessage", "at most", 0.2, "CPU of nodes and broker"),
  crossing(16, "messagesPerSecond", "at least", 5, "messages per second"),
  ...ALONE.flatMap((receivers) => [alone(receivers, 1), alone(receivers, 16)]),
  requests("requests per second", 1),
  requests("the same, target", 2.5),
  entering("CPU of node, services and brokers", CLUSTER.overNats),
  entering("CPU of the node alone", CLUSTER.nodeAlone),
];
