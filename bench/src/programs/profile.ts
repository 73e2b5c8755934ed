import type { HeapProfiler, Profiler } from "node:inspector";
import { filledDevice } from "../device/filled-device.ts";
import { closedLoop, TURN_MESSAGES } from "../fanout/closed-loop.ts";
import { Room } from "../fanout/room.ts";
import type { FanoutServer } from "../fanout/room.ts";
import { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { liveBytes } from "../profiling/live-bytes.ts";
import { kindsOfTime, selfTimes } from "../profiling/self-times.ts";
import { startPeer } from "../servers/peers.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { ramp } from "../wire/ramp.ts";
import { hearthDoors, workOf } from "./fanout.ts";
import { CLIENTS, measureRest, PUBLIC, startGateway } from "./gateway.ts";
import { bearer, firstPage, startLoggedIn } from "./local-api.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "share", title: "% of busy time", digits: 1 },
  { metric: "bytes", title: "bytes", digits: 0 },
];

const root = new URL("../../../", import.meta.url).href;
const FRAMES = 12;
const SHAPES = [
  { receivers: 1000, inFlight: 1 },
  { receivers: 1000, inFlight: 16 },
  { receivers: 100, inFlight: 16 },
] as const;
const ENTRIES = 300;
const ROUNDS = 6;
const LOCAL_MESSAGES = 50_000;

async function profiled(server: ServerProcess, act: () => Promise<unknown>): Promise<Profiler.Profile> {
  await server.ask("start-profile");
  await act();
  return (await server.ask("stop-profile")) as unknown as Profiler.Profile;
}

function report(results: Results, work: string, profile: Profiler.Profile): void {
  for (const { frame, share } of kindsOfTime(profile, root)) results.add(`${work}: all`, frame, { share });
  for (const { frame, share } of selfTimes(profile, root).slice(0, FRAMES))
    results.add(work, frame, { share });
}

async function profileFanout(server: FanoutServer, quick: boolean, results: Results): Promise<void> {
  for (const { receivers, inFlight } of quick ? SHAPES.slice(0, 1) : SHAPES) {
    const room = await Room.open(server, receivers);
    const load = { inFlight, messages: quick ? 300 : 6_000, atMostMs: quick ? 300 : 4_000 };
    const { messages } = await closedLoop(room, load, 0);
    const next = Math.ceil(messages / TURN_MESSAGES);
    const profile = await profiled(server.process, () => closedLoop(room, load, next));
    await room.close();
    report(results, `${server.name}, ${workOf(receivers, inFlight)}`, profile);
  }
}

/** All join the same room, so that the cost of announcing them is included. */
async function profileEntering(server: FanoutServer, quick: boolean, results: Results): Promise<void> {
  const enterAndLeave = async (): Promise<void> => {
    for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
      const clients = await ramp(ENTRIES, async (index) => {
        const client = await ClientSocket.open(server.process.port, server.door, index);
        await server.enter(client, index);
        return client;
      });
      await Promise.all(clients.map((client) => client.close()));
    }
  };
  await enterAndLeave();
  report(results, `${server.name}, connect, identify, join`, await profiled(server.process, enterAndLeave));
}

/** The memory of a connection by allocating function; the connections are opened once before. */
async function profileMemory(server: FanoutServer, results: Results): Promise<void> {
  const openAll = (): Promise<ClientSocket[]> =>
    ramp(ENTRIES, async (index) => {
      const client = await ClientSocket.open(server.process.port, server.door, index);
      await server.enter(client, index);
      return client;
    });
  const before = await openAll();
  await server.process.ask("start-heap-profile");
  const clients = await openAll();
  const profile = (await server.process.ask(
    "stop-heap-profile",
  )) as unknown as HeapProfiler.SamplingHeapProfile;
  const allocated = liveBytes(profile, root);
  const work = `${server.name}, memory of a connection`;
  const perConnection = (bytes: number): number => bytes / ENTRIES;
  const total = allocated.reduce((sum, { bytes }) => sum + bytes, 0);
  results.add(work, "all", { bytes: perConnection(total) });
  for (const { frame, bytes } of allocated.slice(0, 2 * FRAMES)) {
    results.add(work, frame, { bytes: perConnection(bytes) });
  }
  await Promise.all([...before, ...clients].map((client) => client.close()));
}

async function profileGateway({ cores, quick }: Run, results: Results): Promise<void> {
  const upstream = await startPeer("upstream", "upstream", { core: cores.client });
  const server = await startGateway(cores.server, upstream);
  const door = { name: server.name, port: server.port, server };
  const work = { name: "gateway, REST request", clients: CLIENTS, ...PUBLIC, doors: [] };
  const ask = (): Promise<unknown> => measureRest(door, work, quick ? 300 : 4_000);
  await ask();
  report(results, work.name, await profiled(server, ask));
  await server.stop();
  await upstream.stop();
}

async function profileLocalApi(run: Run, results: Results): Promise<void> {
  const device = await filledDevice(LOCAL_MESSAGES, run.cores.server, (text) => run.progress(text));
  const { ours, token } = await startLoggedIn(run, device);
  const door = { name: ours.name, port: ours.port, server: ours };
  const load = { clients: CLIENTS, path: firstPage(device, 100), headers: bearer(token) };
  const ask = (): Promise<unknown> => measureRest(door, load, run.quick ? 300 : 4_000);
  await ask();
  report(results, "local API, page of 100", await profiled(ours, ask));
  await ours.stop();
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const servers = await hearthDoors(run, ["--expose-gc"]);
  for (const server of run.quick ? servers.slice(0, 1) : servers) {
    run.progress(server.name);
    await profileFanout(server, run.quick, results);
    await profileEntering(server, run.quick, results);
    await profileMemory(server, results);
  }
  await servers[0]?.process.stop();
  run.progress("gateway");
  await profileGateway(run, results);
  run.progress("local API");
  await profileLocalApi(run, results);
  return {
    results,
    notes: [
      "Time in each function itself, of the time in which the server was not idle; memory by who allocated it.",
      "The local API is one bundled file: packages in it count as our own code.",
    ],
  };
}

export const profile: Program = {
  name: "profile",
  summary:
    "where the time goes in a fan-out, in entering, in the gateway and in the local API; a connection's memory",
  columns,
  goals: [],
  run,
};
