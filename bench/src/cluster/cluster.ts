import type { Credential } from "@hearth/contracts";
import type { Metered } from "../fanout/closed-loop.ts";
import type { Cores } from "../machine/cores.ts";
import { registerOn } from "../programs/product-clients.ts";
import { Broker } from "../servers/broker.ts";
import { startPresenceNode } from "../servers/presence-node.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { startServices } from "../servers/services.ts";
import type { Door } from "../wire/doors.ts";
import { INTERNAL_SECRET, SECRET_HEADER } from "./environment.ts";

export const cpuOf = (parts: readonly Metered[]): number =>
  parts.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);

/** Presence nodes that share a Redis and therefore their rooms. */
export interface Nodes {
  readonly redis: Broker;
  readonly nodes: readonly ServerProcess[];
}

/** The parts that all clusters of a run share: accounts and servers, and the nodes' bus. */
export interface Backstage {
  readonly nats: Broker;
  readonly services: ServerProcess;
  readonly accounts: readonly Credential[];
}

/** Brokers and the other services run on the load client's core. */
export async function startBackstage({ client }: Cores, accounts: number): Promise<Backstage> {
  const nats = await Broker.startNats(client);
  const services = await startServices(client, nats);
  return { nats, services, accounts: await registerOn(services, accounts) };
}

/** Nodes on the servers' core, with their own Redis on the client's core. */
export async function startNodes(
  { server, client }: Cores,
  { nats }: Backstage,
  count: number,
): Promise<Nodes> {
  const redis = await Broker.startRedis(client);
  const nodes: ServerProcess[] = [];
  for (let started = 0; started < count; started += 1) {
    nodes.push(await startPresenceNode({ core: server, nats, redis }));
  }
  return { redis, nodes };
}

export const nodeAt = ({ nodes }: Nodes, index: number): ServerProcess => {
  const node = nodes[index % nodes.length];
  if (!node) throw new Error("The cluster has no nodes");
  return node;
};

/** A node's door, which only the gateway may use. */
export const throughGateway = (door: Door): Door => ({
  ...door,
  headers: [`${SECRET_HEADER}: ${INTERNAL_SECRET}`],
});
