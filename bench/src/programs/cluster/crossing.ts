import { randomUUID } from "node:crypto";
import { createServer } from "../../accounts/accounts.ts";
import { RestClient } from "../../accounts/rest-client.ts";
import { cpuOf, nodeAt, startNodes, throughGateway } from "../../cluster/cluster.ts";
import type { Backstage, Nodes } from "../../cluster/cluster.ts";
import { CrossRoom } from "../../cluster/cross-room.ts";
import type { CrossServer } from "../../cluster/cross-room.ts";
import { redisEnvironment } from "../../cluster/environment.ts";
import { TURN_MESSAGES } from "../../fanout/closed-loop.ts";
import type { LoopOutcome } from "../../fanout/closed-loop.ts";
import { Contest } from "../../fanout/contest.ts";
import type { Results } from "../../figures/results.ts";
import { percentile } from "../../figures/statistics.ts";
import type { Broker } from "../../servers/broker.ts";
import { startPeer } from "../../servers/peers.ts";
import type { ServerProcess } from "../../servers/server-process.ts";
import { plainDoor, socketIoDoor } from "../../wire/doors.ts";
import type { ClusterPart } from "./part.ts";
import { stopAll } from "./part.ts";
import { OURS, PEERS } from "../names.ts";
import { accountFor, identify, join } from "../product-clients.ts";
import type { Run } from "../program.ts";

/** One sender each, in turn. */
const ROOMS = 6;

export const crossingOf = (receivers: number, inFlight: number): string =>
  `from node A to ${receivers} on node B, ${inFlight} in flight`;

async function createRooms({ services, accounts }: Backstage, rooms: number): Promise<readonly string[]> {
  const rest = new RestClient(services.port);
  const ids: string[] = [];
  while (ids.length < rooms) ids.push(await createServer(rest, accountFor(accounts, ids.length)));
  rest.close();
  return ids;
}

/** Both doors use the same nodes with separate rooms. */
async function ours({ nodes, redis }: Nodes, backstage: Backstage, rooms: number): Promise<CrossServer[]> {
  const { nats, accounts } = backstage;
  const enter: CrossServer["enter"] = async (client, index, entered) => {
    await client.ask(identify(accountFor(accounts, index)), "identified");
    for (const serverId of entered) await client.ask(join(serverId), "server_joined");
  };
  const brokers = [redis, nats];
  const shared = {
    process: {
      get cpuMicros() {
        return cpuOf([...nodes, ...brokers]);
      },
    },
    broker: {
      get cpuMicros() {
        return cpuOf(brokers);
      },
    },
    sendingPort: nodeAt({ nodes, redis }, 0).port,
    receivingPort: nodeAt({ nodes, redis }, 1).port,
    enter,
  };
  const doors = [
    { name: OURS.plain, door: throughGateway(plainDoor) },
    { name: OURS.socketIo, door: throughGateway(socketIoDoor) },
  ];
  return Promise.all(
    doors.map(async (door) => ({ ...shared, ...door, rooms: await createRooms(backstage, rooms) })),
  );
}

async function peer(name: string, adapter: string, run: Run, redis: Broker, rooms: number) {
  const options = {
    core: run.cores.server,
    environment: { ...redisEnvironment(redis), ADAPTER: adapter },
  };
  const nodes: ServerProcess[] = [];
  for (let started = 0; started < 2; started += 1)
    nodes.push(await startPeer("socket-io-redis", name, options));
  const [sending, receiving] = nodes;
  if (!sending || !receiving) throw new Error("A peer has two nodes");
  const candidate: CrossServer = {
    name,
    process: {
      get cpuMicros() {
        return cpuOf([...nodes, redis]);
      },
    },
    broker: redis,
    door: socketIoDoor,
    sendingPort: sending.port,
    receivingPort: receiving.port,
    rooms: Array.from({ length: rooms }, () => randomUUID()),
    async enter(client, _, entered) {
      for (const serverId of entered) await client.ask(join(serverId), "server_joined");
    },
  };
  return { nodes, candidate };
}

/**
 * One message in flight is enough to measure latency with one receiver. With 16 in flight a sender's turn is so short
 * that its start would show, so a round has three senders.
 */
const LOADS = [
  { receivers: 1, inFlight: 1, rounds: 6, turns: 1 },
  { receivers: 100, inFlight: 1, rounds: 12, turns: 1 },
  { receivers: 100, inFlight: 16, rounds: 8, turns: 3 },
] as const;

const crossingSample = ({ messages, elapsedMs, cpuMicros, brokerMicros, latenciesMs }: LoopOutcome) => ({
  cpuPerMessage: cpuMicros / messages,
  brokerPerMessage: brokerMicros / messages,
  messagesPerSecond: messages / (elapsedMs / 1000),
  p50: percentile(latenciesMs, 50),
  p99: percentile(latenciesMs, 99),
});

async function measureCrossing(
  candidates: readonly CrossServer[],
  { receivers, inFlight, rounds, turns }: (typeof LOADS)[number],
  quick: boolean,
  results: Results | undefined,
): Promise<void> {
  const contest = await Contest.open(candidates, (server) => CrossRoom.open(server, receivers));
  const atMostMs = quick ? 150 : 500;
  await contest.play(1, { inFlight: 4, messages: TURN_MESSAGES, atMostMs });
  const load = { inFlight, messages: turns * TURN_MESSAGES, atMostMs };
  for (const { room, outcome } of await contest.play(quick ? 1 : rounds, load))
    results?.add(crossingOf(receivers, inFlight), room.server.name, crossingSample(outcome));
  await contest.close();
}

/** Messages from one node to another, compared with Socket.IO's adapter on the same Redis. */
export async function startCrossing(run: Run, backstage: Backstage): Promise<ClusterPart> {
  const rooms = run.quick ? 4 : ROOMS;
  const two = await startNodes(run.cores, backstage, 2);
  const classic = await peer(PEERS.adapter, "classic", run, two.redis, rooms);
  const sharded = await peer(PEERS.sharded, "sharded", run, two.redis, rooms);
  const own = await ours(two, backstage, rooms);
  const candidates = [...own, classic.candidate, sharded.candidate];
  return {
    async measure(results, quick) {
      for (const load of LOADS) {
        run.progress(`  ${crossingOf(load.receivers, load.inFlight)}`);
        await measureCrossing(candidates, load, quick, results);
      }
    },
    stop: () => stopAll([...two.nodes, ...classic.nodes, ...sharded.nodes, two.redis]),
  };
}
