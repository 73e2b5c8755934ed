import { setTimeout as wait } from "node:timers/promises";
import type { Credential } from "@hearth/contracts";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import type { Sample } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { startPeer } from "../servers/peers.ts";
import { startProduct, temporaryData } from "../servers/product.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { plainDoor, socketIoDoor } from "../wire/doors.ts";
import type { Door, Message } from "../wire/doors.ts";
import { ramp } from "../wire/ramp.ts";
import { OURS, PEERS } from "./names.ts";
import { accountFor, identify, registerOn } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "rssKib", title: "KiB RSS/connection", digits: 1 },
  { metric: "heapKib", title: "KiB heap/connection", digits: 1 },
  { metric: "connections", title: "connections", digits: 0 },
];

const ACCOUNTS = 100;
const WARM_UP = 300;
/** V8's young generation grows with the rate of new connections, not with their number. */
const VARIANTS = [
  { work: "idle identified connections", flags: [] },
  {
    work: "the same, young generation held at 1 MB",
    flags: ["--min-semi-space-size=1", "--max-semi-space-size=1"],
  },
] as const;
/** Repeated garbage collection returns pages to the kernel. */
const SETTLE_ROUNDS = 4;
const SETTLE_MS = 500;

interface Candidate {
  readonly name: string;
  readonly door: Door;
  start(): Promise<ServerProcess>;
  hello(index: number): Message;
}

interface Footprint {
  readonly rssKib: number;
  readonly heapKib: number;
}

async function settle(server: ServerProcess, rounds: number): Promise<Footprint> {
  let heapBytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answer = await server.ask("collect-garbage");
    if (answer["collected"] !== 1) throw new Error(`${server.name} cannot collect its garbage on demand`);
    heapBytes = Number(answer["heapBytes"]);
    await wait(SETTLE_MS);
  }
  return { rssKib: server.rssKib, heapKib: heapBytes / 1024 };
}

async function measure(candidate: Candidate, connections: number, rounds: number): Promise<Sample> {
  const server = await candidate.start();
  const open = (from: number, count: number): Promise<ClientSocket[]> =>
    ramp(count, async (index) => {
      const client = await ClientSocket.open(server.port, candidate.door, from + index);
      await client.ask(candidate.hello(from + index), "identified");
      return client;
    });
  const clients = await open(0, WARM_UP);
  const before = await settle(server, rounds);
  clients.push(...(await open(WARM_UP, connections - WARM_UP)));
  const after = await settle(server, rounds);
  for (const client of clients) client.check();
  const added = connections - WARM_UP;
  await Promise.all(clients.map((client) => client.close()));
  await server.stop();
  return {
    rssKib: (after.rssKib - before.rssKib) / added,
    heapKib: (after.heapKib - before.heapKib) / added,
    connections,
  };
}

/** Sessions survive restarts, so every repetition starts a new process on the same data. */
async function prepareSessions(run: Run, dataDir: string): Promise<readonly Credential[]> {
  const server = await startProduct({ core: run.cores.server, dataDir });
  const accounts = await registerOn(server, run.quick ? 12 : ACCOUNTS);
  await server.stop();
  return accounts;
}

function candidates(
  core: readonly string[],
  flags: readonly string[],
  dataDir: string,
  accounts: readonly Credential[],
): readonly Candidate[] {
  const options = { core, nodeOptions: ["--expose-gc", ...flags] };
  const ours = {
    start: () => startProduct({ ...options, dataDir }),
    hello: (index: number) => identify(accountFor(accounts, index)),
  };
  const hello = (index: number): Message => ({ type: "identify", clientInstanceId: String(index) });
  return [
    { name: OURS.plain, door: plainDoor, ...ours },
    { name: OURS.socketIo, door: socketIoDoor, ...ours },
    { name: PEERS.ws, door: plainDoor, start: () => startPeer("ws-hello", PEERS.ws, options), hello },
    {
      name: PEERS.socketIo,
      door: socketIoDoor,
      start: () => startPeer("socket-io", PEERS.socketIo, options),
      hello,
    },
  ];
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const dataDir = temporaryData();
  const accounts = await prepareSessions(run, dataDir);
  for (let repetition = 1; repetition <= run.repetitions; repetition += 1) {
    for (const { work, flags } of run.quick ? VARIANTS.slice(0, 1) : VARIANTS) {
      for (const candidate of candidates(run.cores.server, flags, dataDir, accounts)) {
        run.progress(`repetition ${repetition} of ${run.repetitions}: ${candidate.name}, ${work}`);
        const [connections, rounds] = run.quick ? [600, 1] : [5_000, SETTLE_ROUNDS];
        results.add(work, candidate.name, await measure(candidate, connections, rounds));
      }
    }
  }
  return {
    results,
    notes: [
      `A fresh process each time; what the connections after the first ${WARM_UP} add, garbage collected before both readings.`,
      "RSS is VmRSS of /proc/PID/status; heap is V8's used heap and what it holds outside.",
      "The first rows leave V8's young generation to V8; the others hold it at 1 MB on all sides.",
    ],
  };
}

const goals = (subject: string, against: string, limit: number): Goal[] =>
  VARIANTS.map(({ work }) => ({
    title: `memory of ${subject}, ${work}`,
    work,
    subject,
    against,
    metric: "rssKib",
    kind: "at most",
    limit,
  }));

export const connections: Program = {
  name: "connections",
  summary: "memory per idle identified connection at 5,000, both doors",
  columns,
  goals: [...goals(OURS.plain, PEERS.ws, 1.6), ...goals(OURS.socketIo, PEERS.socketIo, 0.6)],
  run,
};
