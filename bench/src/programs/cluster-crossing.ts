import { randomUUID } from "node:crypto";
import { createServer } from "../accounts/accounts.ts";
import { RestClient } from "../accounts/rest-client.ts";
import { cpuOf, nodeAt, startNodes, throughGateway } from "../cluster/cluster.ts";
import type { Backstage, Nodes } from "../cluster/cluster.ts";
import { CrossRoom, refill } from "../cluster/cross-room.ts";
import type { CrossServer } from "../cluster/cross-room.ts";
import { redisEnvironment } from "../cluster/environment.ts";
import { closedLoop, TURN_MESSAGES } from "../fanout/closed-loop.ts";
import type { Load } from "../fanout/closed-loop.ts";
import type { Results } from "../figures/results.ts";
import { percentile } from "../figures/statistics.ts";
import type { Broker } from "../servers/broker.ts";
import { startPeer } from "../servers/peers.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { plainDoor, socketIoDoor } from "../wire/doors.ts";
import type { ClusterPart } from "./cluster-part.ts";
import { stopAll } from "./cluster-part.ts";
import { OURS, PEERS } from "./names.ts";
import { accountFor, identify, join } from "./product-clients.ts";
import type { Run } from "./program.ts";

/** One sender each: together they may send so many turns in a row. */
const ROOMS = 16;

export const crossingOf = (receivers: number, inFlight: number): string =>
  `from node A to ${receivers} on node B, ${inFlight} in flight`;

interface Candidate extends CrossServer {
  readonly broker: { readonly cpuMicros: number };
}

async function ours({ nodes, redis }: Nodes, backstage: Backstage, rooms: number): Promise<Candidate[]> {
  const { nats, services, accounts } = backstage;
  const rest = new RestClient(services.port);
  const ids: string[] = [];
  while (ids.length < rooms) ids.push(await createServer(rest, accountFor(accounts, ids.length)));
  rest.close();
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
    rooms: ids,
    enter,
  };
  return [
    { ...shared, name: OURS.plain, door: throughGateway(plainDoor) },
    { ...shared, name: OURS.socketIo, door: throughGateway(socketIoDoor) },
  ];
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
  const candidate: Candidate = {
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

interface Round extends Load {
  /** The sender that begins; the ones before it have sent their turn already. */
  readonly firstTurn: number;
  readonly measured: boolean;
}

/** One turn to warm up; to one receiver, whose way is measured for its latency, one message at a time is enough. */
function rounds(receivers: number, rooms: number, quick: boolean): readonly Round[] {
  const atMostMs = quick ? 300 : 4_000;
  const turns = (count: number): number => count * TURN_MESSAGES;
  const warmUp = { inFlight: 4, messages: turns(1), atMostMs, firstTurn: 0, measured: false };
  const one = { inFlight: 1, messages: turns(rooms - 1), atMostMs, firstTurn: 1, measured: true };
  const sixteen = { inFlight: 16, messages: turns(rooms), atMostMs, firstTurn: 0, measured: true };
  return receivers === 1 ? [warmUp, one] : [warmUp, one, sixteen];
}

async function measureCrossing(
  server: Candidate,
  receivers: number,
  quick: boolean,
  results: Results | undefined,
): Promise<void> {
  const room = await CrossRoom.open(server, receivers);
  for (const round of rounds(receivers, server.rooms.length, quick)) {
    if (round.measured && round.firstTurn === 0) await refill(TURN_MESSAGES);
    const brokerBefore = server.broker.cpuMicros;
    const { messages, elapsedMs, cpuMicros, latenciesMs } = await closedLoop(room, round, round.firstTurn);
    const brokerMicros = server.broker.cpuMicros - brokerBefore;
    if (round.measured)
      results?.add(crossingOf(receivers, round.inFlight), server.name, {
        cpuPerMessage: cpuMicros / messages,
        brokerPerMessage: brokerMicros / messages,
        messagesPerSecond: messages / (elapsedMs / 1000),
        p50: percentile(latenciesMs, 50),
        p99: percentile(latenciesMs, 99),
      });
  }
  await room.close();
}

/** Messages that cross from one node to another, beside Socket.IO with its adapter on the same Redis. */
export async function startCrossing(run: Run, backstage: Backstage): Promise<ClusterPart> {
  const rooms = run.quick ? 4 : ROOMS;
  const two = await startNodes(run.cores, backstage, 2);
  const classic = await peer(PEERS.adapter, "classic", run, two.redis, rooms);
  const sharded = await peer(PEERS.sharded, "sharded", run, two.redis, rooms);
  const own = await ours(two, backstage, rooms);
  const candidates = [...own, classic.candidate, sharded.candidate];
  return {
    async measure(results, quick) {
      for (const receivers of [1, 100]) {
        for (const server of candidates) {
          run.progress(`  ${server.name}: ${receivers} on another node`);
          await measureCrossing(server, receivers, quick, results);
        }
      }
    },
    stop: () => stopAll([...two.nodes, ...classic.nodes, ...sharded.nodes, two.redis]),
  };
}
