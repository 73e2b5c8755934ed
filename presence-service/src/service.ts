import { setTimeout as wait } from "node:timers/promises";
import type { Bus, Clock, Log, Metrics, ServiceModule, Subscription } from "@hearth/runtime";
import { newId } from "@hearth/runtime";
import { Activity } from "./activity.ts";
import { connectBus } from "./bus.ts";
import type { Carrier } from "./carrier.ts";
import { drain } from "./draining.ts";
import { deliverLocally, type PresenceNode } from "./node.ts";
import { createPresenceMetrics } from "./presence-metrics.ts";
import { Revocations } from "./revocations.ts";
import { Rooms } from "./rooms.ts";
import type { Roster } from "./roster.ts";
import { SharedServers } from "./shared-servers.ts";
import { SocketEdge } from "./sockets.ts";
import { createTransport } from "./transport/transport.ts";
import { reportActivity, tick } from "./upkeep.ts";
import type { VoiceLeases } from "./voice-leases.ts";

/** What a presence node is made from; the first three have a networked twin. */
export interface PresenceDependencies {
  readonly roster: Roster;
  readonly leases: VoiceLeases;
  readonly carrier: Carrier;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Spreads what should not happen at once; default `Math.random`. */
  readonly random?: () => number;
}

const TICK_MS = 1_000;
const ACTIVITY_MS = 5_000;
const SETTLE_MS = 2_000;

/** One presence node: sockets, rooms, relays, voice ownership. */
export const createPresenceService = (deps: PresenceDependencies): ServiceModule => {
  const node = createNode(deps);
  const edge = new SocketEdge(node);
  const transport = createTransport({
    handler: edge,
    log: deps.log,
    clock: deps.clock,
  });
  let running = false;
  let subscriptions: readonly Subscription[] = [];
  let timers: readonly NodeJS.Timeout[] = [];
  const ready = (): boolean => running && deps.bus.connected;

  return {
    name: "presence",
    ready,
    upgrade: (request, socket, head) => transport.upgrade(request, socket, head),
    async start() {
      await node.roster.renew(node.nodeId, 2 * TICK_MS);
      node.carrier.receive((parcel) => deliverLocally(node, parcel));
      subscriptions = connectBus(node, ready);
      timers = [
        setInterval(() => void tick(node), TICK_MS).unref(),
        setInterval(() => void reportActivity(node), ACTIVITY_MS).unref(),
      ];
      running = true;
    },
    async stop() {
      if (!running) return;
      running = false;
      transport.accepting = false;
      await drain(node, deps.random ?? Math.random, () => until(() => edge.busy === 0, SETTLE_MS));
      await transport.stop();
      for (const timer of timers) clearInterval(timer);
      await reportActivity(node);
      for (const subscription of subscriptions) subscription.close();
      await node.carrier.close();
    },
  };
};

const createNode = ({
  roster,
  leases,
  carrier,
  bus,
  clock,
  log,
  metrics,
}: PresenceDependencies): PresenceNode => ({
  nodeId: newId(),
  clients: new Map(),
  rooms: new Rooms(),
  roster,
  leases,
  carrier,
  bus,
  revocations: new Revocations(clock),
  sharedServers: new SharedServers(bus, clock),
  activity: new Activity(),
  voiceOwners: new Set(),
  clock,
  log,
  metrics: createPresenceMetrics(metrics),
});

const until = async (done: () => boolean, atMostMs: number): Promise<void> => {
  const deadline = performance.now() + atMostMs;
  while (!done() && performance.now() < deadline) await wait(5);
};
