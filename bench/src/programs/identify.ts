import { setTimeout as wait } from "node:timers/promises";
import { createServer, joinServer } from "../accounts/accounts.ts";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import { percentile } from "../figures/statistics.ts";
import type { Column } from "../figures/table.ts";
import { startPeer } from "../servers/peers.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { plainDoor, socketIoDoor } from "../wire/doors.ts";
import type { Door } from "../wire/doors.ts";
import { ramp } from "../wire/ramp.ts";
import { OURS, PEERS } from "./names.ts";
import { accountFor, identifyAndJoin, join, prepareProduct } from "./product-clients.ts";
import type { PreparedProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "cpuPerConnection", title: "server µs CPU/connection", digits: 0 },
  { metric: "perSecond", title: "connections/s", digits: 0 },
  { metric: "p50", title: "p50 ms", digits: 1 },
  { metric: "p99", title: "p99 ms", digits: 1 },
];

const ACCOUNTS = 200;
const DEVICES = 2;
const ROUNDS = 5;
/** Connections in a room: the join announcements grow with it. */
const ROOMS = [10, 100] as const;
const AFTERMATH_MS = 300;

const workOf = (room: number): string => `connect, identify, join; rooms of ${room}`;

/** The server that connections join. */
export interface Entered {
  readonly name: string;
  readonly server: { readonly port: number; readonly cpuMicros: number };
  readonly door: Door;
  /** Everything after the connection is open. */
  enter(client: ClientSocket, index: number, room: number): Promise<void>;
}

interface Candidate extends Entered {
  readonly server: ServerProcess;
}

export interface Entering {
  readonly latenciesMs: readonly number[];
  readonly cpuMicros: number;
  readonly elapsedMs: number;
}

/** Opens all connections and closes them; only the opening is measured. */
export async function enterOnce(candidate: Entered, room: number, connections: number): Promise<Entering> {
  const { server, door } = candidate;
  const latenciesMs: number[] = [];
  const cpuBefore = server.cpuMicros;
  const startedAt = performance.now();
  const clients = await ramp(connections, async (index) => {
    const dialledAt = performance.now();
    const client = await ClientSocket.open(server.port, door, index);
    await candidate.enter(client, index, room);
    latenciesMs.push(performance.now() - dialledAt);
    return client;
  });
  const elapsedMs = performance.now() - startedAt;
  const cpuMicros = server.cpuMicros - cpuBefore;
  for (const client of clients) client.check();
  await Promise.all(clients.map((client) => client.close()));
  await wait(AFTERMATH_MS);
  return { latenciesMs, cpuMicros, elapsedMs };
}

/** The figures of several rounds, as the tables show them. */
export function enteringSample(rounds: readonly Entering[]) {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  const sum = (of: (round: Entering) => number): number => rounds.reduce((all, round) => all + of(round), 0);
  return {
    cpuPerConnection: sum(({ cpuMicros }) => cpuMicros) / latencies.length,
    perSecond: latencies.length / (sum(({ elapsedMs }) => elapsedMs) / 1000),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
  };
}

type Servers = ReadonlyMap<number, readonly string[]>;

/** For each room size as many servers as the accounts fill; all accounts are members. */
async function prepareServers({ rest, accounts }: PreparedProduct): Promise<Servers> {
  const servers = new Map<number, readonly string[]>();
  for (const room of ROOMS) {
    const users = room / DEVICES;
    const ids = await ramp(Math.ceil(accounts.length / users), async (index) => {
      const members = accounts.slice(index * users, (index + 1) * users);
      const id = await createServer(rest, accountFor(members, 0));
      await joinServer(rest, id, members.slice(1));
      return id;
    });
    servers.set(room, ids);
  }
  return servers;
}

function ours(product: PreparedProduct, servers: Servers): readonly Candidate[] {
  const { server, accounts } = product;
  const enter: Candidate["enter"] = async (client, index, room) => {
    const account = index % accounts.length;
    const serverId = servers.get(room)?.[Math.floor(account / (room / DEVICES))];
    if (serverId === undefined) throw new Error("An account belongs to no server");
    await identifyAndJoin(client, accountFor(accounts, account), serverId);
  };
  return [
    { name: OURS.plain, server, door: plainDoor, enter },
    { name: OURS.socketIo, server, door: socketIoDoor, enter },
  ];
}

async function peers({ cores }: Run): Promise<readonly Candidate[]> {
  const core = cores.server;
  const hello = async (client: ClientSocket, index: number): Promise<void> => {
    await client.ask({ type: "identify", clientInstanceId: String(index) }, "identified");
  };
  return [
    {
      name: PEERS.ws,
      server: await startPeer("ws-hello", PEERS.ws, { core }),
      door: plainDoor,
      enter: hello,
    },
    {
      name: PEERS.socketIo,
      server: await startPeer("socket-io", PEERS.socketIo, { core }),
      door: socketIoDoor,
      async enter(client, index, room) {
        const identified = hello(client, index);
        await Promise.all([
          identified,
          client.ask(join(`room ${Math.floor(index / room)}`), "server_joined"),
        ]);
      },
    },
  ];
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const product = await prepareProduct(run.cores.server, run.quick ? 50 : ACCOUNTS);
  const servers = await prepareServers(product);
  product.rest.close();
  const candidates = [...ours(product, servers), ...(await peers(run))];
  const connections = product.accounts.length * DEVICES;
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    for (const room of ROOMS) {
      for (const candidate of candidates) {
        run.progress(`repetition ${repetition} of ${run.repetitions}: ${candidate.name}, rooms of ${room}`);
        const rounds: Entering[] = [];
        while (rounds.length < (run.quick ? 1 : ROUNDS))
          rounds.push(await enterOnce(candidate, room, connections));
        if (repetition > 0) results.add(workOf(room), candidate.name, enteringSample(rounds));
      }
    }
  }
  for (const { server } of candidates) await server.stop();
  return {
    results,
    notes: [
      `${product.accounts.length} accounts of ${DEVICES} devices, 32 connections being opened at a time. Bare ws answers one JSON message and joins nothing.`,
      "Ours also tells the room who came and the account's other device, which the peers do not.",
    ],
  };
}

const goals: readonly Goal[] = ROOMS.map((room) => ({
  title: `plain door CPU, ${workOf(room)}`,
  work: workOf(room),
  subject: OURS.plain,
  against: PEERS.ws,
  metric: "cpuPerConnection",
  kind: "at most",
  limit: 2,
}));

export const identifyProgram: Program = {
  name: "identify",
  summary: "connect, identify and join per second",
  columns,
  goals,
  run,
};
