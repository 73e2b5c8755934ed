import { createServer } from "../accounts/accounts.ts";
import { closedLoop, fanoutSample, TURN_MESSAGES } from "../fanout/closed-loop.ts";
import type { Load } from "../fanout/closed-loop.ts";
import { Room } from "../fanout/room.ts";
import type { FanoutServer, RoomServer } from "../fanout/room.ts";
import { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { startPeer } from "../servers/peers.ts";
import { ONE_FOR_MANY } from "../servers/product.ts";
import { plainDoor, socketIoDoor } from "../wire/doors.ts";
import { fanoutGoals } from "./fanout-goals.ts";
import { OURS, PEERS } from "./names.ts";
import { accountFor, identifyAndJoin, join, prepareProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "cpuPerDelivery", title: "server µs CPU/delivery", digits: 2 },
  { metric: "deliveriesPerSecond", title: "deliveries/s", digits: 0 },
  { metric: "p50", title: "room p50 ms", digits: 2 },
  { metric: "p99", title: "room p99 ms", digits: 2 },
  { metric: "messages", title: "messages", digits: 0 },
];

const ACCOUNTS = 40;
const ROOM = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";

export const workOf = (receivers: number, inFlight: number): string =>
  `fan-out to ${receivers}, ${inFlight} in flight`;

/** The product through both doors: one process, one room per door and size. */
export async function hearthDoors(run: Run, nodeOptions: readonly string[] = []): Promise<FanoutServer[]> {
  const { server, rest, accounts } = await prepareProduct(
    run.cores.server,
    run.quick ? 12 : ACCOUNTS,
    nodeOptions,
    ONE_FOR_MANY,
  );
  const serverId = await createServer(rest, accountFor(accounts, 0));
  rest.close();
  const enter: FanoutServer["enter"] = (client, index) =>
    identifyAndJoin(client, accountFor(accounts, index), serverId);
  return [
    { name: OURS.plain, process: server, door: plainDoor, serverId, enter },
    { name: OURS.socketIo, process: server, door: socketIoDoor, serverId, enter },
  ];
}

async function peers({ cores }: Run): Promise<FanoutServer[]> {
  const core = cores.server;
  const connected = async (): Promise<void> => undefined;
  const frame = await startPeer("ws-broadcast", PEERS.wsFrame, { core, environment: { BROADCAST: "frame" } });
  const send = await startPeer("ws-broadcast", PEERS.wsSend, { core, environment: { BROADCAST: "send" } });
  const stock = await startPeer("socket-io", PEERS.socketIo, { core });
  return [
    { name: PEERS.wsFrame, process: frame, door: plainDoor, serverId: ROOM, enter: connected },
    { name: PEERS.wsSend, process: send, door: plainDoor, serverId: ROOM, enter: connected },
    {
      name: PEERS.socketIo,
      process: stock,
      door: socketIoDoor,
      serverId: ROOM,
      enter: (client) => client.ask(join(ROOM), "server_joined").then(connected),
    },
  ];
}

export const startFanoutServers = async (run: Run): Promise<FanoutServer[]> => [
  ...(await hearthDoors(run)),
  ...(await peers(run)),
];

/** Short enough to avoid heartbeats, which start 25 s after the connection. */
function loads(receivers: number, quick: boolean): readonly (Load & { readonly measured: boolean })[] {
  const atMostMs = quick ? 150 : 3_000;
  const budget = (receivers + 1) * TURN_MESSAGES;
  return [
    { inFlight: 4, messages: Math.min(300, budget * 0.05), atMostMs: atMostMs / 3, measured: false },
    { inFlight: 1, messages: budget * 0.2, atMostMs, measured: true },
    { inFlight: 16, messages: budget * 0.7, atMostMs, measured: true },
  ];
}

/** One room, both loads; the room is closed at the end. */
async function measureRoom(
  server: RoomServer,
  receivers: number,
  quick: boolean,
  results: Results | undefined,
): Promise<void> {
  const room = await Room.open(server, receivers);
  let turn = 0;
  for (const load of loads(receivers, quick)) {
    const outcome = await closedLoop(room, load, turn);
    turn += Math.ceil(outcome.messages / TURN_MESSAGES);
    if (load.measured)
      results?.add(workOf(receivers, load.inFlight), server.name, fanoutSample(outcome, receivers));
  }
  await room.close();
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const servers = await startFanoutServers(run);
  // The first round warms the servers up and is not counted.
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    for (const receivers of [100, 1000]) {
      for (const server of servers) {
        run.progress(
          `repetition ${repetition} of ${run.repetitions}: ${server.name}, ${receivers} receivers`,
        );
        const warmUp = repetition === 0;
        await measureRoom(server, receivers, run.quick || warmUp, warmUp ? undefined : results);
      }
    }
  }
  for (const server of new Set(servers.map(({ process }) => process))) await server.stop();
  return {
    results,
    notes: [
      "A message has 150 bytes. Ours is delivered with who sent it and when, some 110 bytes more than a peer's.",
      `One sender at a time; after ${TURN_MESSAGES} messages the next member sends, since a connection may not send more.`,
    ],
  };
}

export const fanout: Program = {
  name: "fanout",
  summary: "one sender, rooms of 100 and 1,000, both doors",
  columns,
  goals: fanoutGoals(workOf),
  run,
};
