import { gatewaySubjects } from "@hearth/contracts";
import { type Repetition, repeat, type ServiceModule, type Subscription } from "@hearth/runtime";
import { deliverLocally } from "./delivery/broadcast.ts";
import { connectBus } from "./edge/bus.ts";
import { createSocketEdge } from "./edge/sockets.ts";
import { createNode, type NodeParts } from "./node.ts";
import { createTransportMetrics } from "./transport/metrics.ts";
import { createTransport } from "./transport/transport.ts";
import { drain, drainGateway } from "./upkeep/draining.ts";
import { reportActivity, renewNode, tick } from "./upkeep/upkeep.ts";

export interface PresenceDependencies extends NodeParts {
  /** Spreads reconnects; `Math.random` by default. */
  readonly random?: () => number;
}

const TICK_MS = 1_000;
const ACTIVITY_MS = 5_000;

/** One presence node: sockets, rooms, relays, voice ownership. */
export const createPresenceService = (deps: PresenceDependencies): ServiceModule => {
  const { bus, clock, log, random = Math.random } = deps;
  const node = createNode(deps);
  const metrics = createTransportMetrics(deps.metrics);
  const transport = createTransport({ handler: createSocketEdge(node), log, metrics, clock });
  transport.accepting = false;
  const draining = { node, transport, random };
  let running = false;
  let subscriptions: readonly Subscription[] = [];
  let repeated: readonly Repetition[] = [];
  const ready = (): boolean => running && bus.connected && deps.roster.ready && deps.carrier.ready;

  return {
    name: "presence",
    ready,
    upgrade: (request, socket, head) => transport.upgrade(request, socket, head),
    async start() {
      node.clusterMembership.begin();
      await renewNode(node);
      node.carrier.receive((parcel) => deliverLocally(node, parcel));
      const gateways = bus.subscribe(gatewaySubjects.leaving, ({ gatewayId }) =>
        drainGateway(draining, gatewayId),
      );
      subscriptions = [gateways, ...connectBus(node, ready)];
      repeated = [
        repeat(() => tick(node), { everyMs: TICK_MS, name: "tick", log }),
        repeat(() => reportActivity(node), { everyMs: ACTIVITY_MS, name: "activity", log }),
      ];
      transport.accepting = true;
      running = true;
    },
    async stop() {
      if (!running) return;
      running = false;
      transport.accepting = false;
      await drain(draining);
      await transport.stop();
      await Promise.all(repeated.map((repetition) => repetition.stop()));
      await reportActivity(node);
      for (const subscription of subscriptions) subscription.close();
      await node.carrier.close();
    },
  };
};
