import type { Goal } from "../figures/goals.ts";
import { OURS, PEERS } from "./names.ts";

export function fanoutGoals(workOf: (receivers: number, inFlight: number) => string): Goal[] {
  const one = workOf(1000, 1);
  const sixteen = workOf(1000, 16);
  const atMost = (title: string, work: string, subject: string, against: string, limit: number): Goal => ({
    title: `${title}, ${work}`,
    work,
    subject,
    against,
    metric: "cpuPerDelivery",
    kind: "at most",
    limit,
  });
  return [
    atMost("plain door CPU", one, OURS.plain, PEERS.socketIo, 0.65),
    atMost("plain door CPU", one, OURS.plain, PEERS.wsFrame, 1.15),
    atMost("plain door CPU", sixteen, OURS.plain, PEERS.socketIo, 0.1),
    { ...atMost("plain door p99", sixteen, OURS.plain, PEERS.socketIo, 0.15), metric: "p99" },
    atMost("Socket.IO door CPU", one, OURS.socketIo, PEERS.socketIo, 0.7),
    atMost("Socket.IO door CPU", sixteen, OURS.socketIo, PEERS.socketIo, 0.15),
  ];
}
