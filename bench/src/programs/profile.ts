import type { Profiler } from "node:inspector";
import { closedLoop, TURN_MESSAGES } from "../fanout/closed-loop.ts";
import { Room } from "../fanout/room.ts";
import type { FanoutServer } from "../fanout/room.ts";
import { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { kindsOfTime, selfTimes } from "../profiling/self-times.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { ramp } from "../wire/ramp.ts";
import { hearthDoors, workOf } from "./fanout.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [{ metric: "share", title: "% of busy time", digits: 1 }];

const root = new URL("../../../", import.meta.url).href;
const FRAMES = 12;
const SHAPES = [
  { receivers: 1000, inFlight: 1 },
  { receivers: 1000, inFlight: 16 },
  { receivers: 100, inFlight: 16 },
] as const;
const ENTRIES = 300;
const ROUNDS = 6;

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
  for (const { receivers, inFlight } of SHAPES) {
    const room = await Room.open(server, receivers);
    const load = { inFlight, messages: quick ? 300 : 6_000, atMostMs: quick ? 300 : 4_000 };
    const { messages } = await closedLoop(room, load, 0);
    const next = Math.ceil(messages / TURN_MESSAGES);
    const profile = await profiled(server.process, () => closedLoop(room, load, next));
    await room.close();
    report(results, `${server.name}, ${workOf(receivers, inFlight)}`, profile);
  }
}

/** All enter the same room, so that this shows what announcing them costs as well. */
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

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const servers = await hearthDoors(run);
  for (const server of servers) {
    run.progress(server.name);
    await profileFanout(server, run.quick, results);
    await profileEntering(server, run.quick, results);
  }
  await servers[0]?.process.stop();
  return { results, notes: ["Time in each function itself, of the time in which the server was not idle."] };
}

export const profile: Program = {
  name: "profile",
  summary: "where the server's time goes in a fan-out and in entering, by function",
  columns,
  goals: [],
  run,
};
