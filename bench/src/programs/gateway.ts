import { fileURLToPath } from "node:url";
import { freePort, isListening } from "@hearth/runtime/testing/servers";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { EchoClient } from "../proxy/echo-client.ts";
import { KeepAliveClient } from "../proxy/keep-alive-client.ts";
import { runLanes } from "../proxy/lanes.ts";
import { startPeer } from "../servers/peers.ts";
import { ServerProcess } from "../servers/server-process.ts";
import { ramp } from "../wire/ramp.ts";
import { OURS } from "./names.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "cpuPerItem", title: "proxy µs CPU/item", digits: 1 },
  { metric: "perSecond", title: "items/s", digits: 0 },
  { metric: "p50Micros", title: "p50 µs", digits: 0 },
  { metric: "p99Micros", title: "p99 µs", digits: 0 },
];

const NAMES = { direct: "direct", express: "express + hpm", pipe: "net pipe" } as const;
export const CLIENTS = 64;
export const PUBLIC = { path: "/api/servers" };
const WITH_TOKEN = { path: "/api/servers/mine", headers: [`Authorization: Bearer ${"ab".repeat(32)}`] };

export interface ProxyDoor {
  readonly name: string;
  readonly port: number;
  /** The proxy's process, if any. */
  readonly server: ServerProcess | undefined;
}

export interface ProxyWork {
  readonly name: string;
  readonly clients: number;
  readonly doors: readonly ProxyDoor[];
  /** The path of a REST request; `undefined` for a socket message. */
  readonly path?: string;
  readonly headers?: readonly string[];
}

const REST = "REST request, 64 connections";
const REST_TOKEN = `${REST}, with a token`;
const SOCKET = "socket message and its echo, 64 connections";

/** The gateway in its own process, with the upstream behind it. */
export async function startGateway(core: readonly string[], upstream: ServerProcess): Promise<ServerProcess> {
  const port = await freePort();
  return ServerProcess.start({
    name: OURS.rest,
    file: fileURLToPath(new URL("../../entries/gateway.ts", import.meta.url)),
    port,
    core,
    environment: { UPSTREAM_PORT: String(upstream.port) },
    ready: () => isListening(port),
  });
}

async function startDoors({ cores }: Run) {
  const upstream = await startPeer("upstream", "upstream", { core: cores.client });
  const core = cores.server;
  const environment = { UPSTREAM_PORT: String(upstream.port) };
  const servers = {
    direct: upstream,
    hearth: await startGateway(core, upstream),
    express: await startPeer("express-proxy", NAMES.express, { core, environment }),
    pipe: await startPeer("net-pipe", NAMES.pipe, { core, environment }),
  };
  const door = (name: string, server: ServerProcess): ProxyDoor => ({ name, port: server.port, server });
  return {
    servers: Object.values(servers),
    direct: { name: NAMES.direct, port: upstream.port, server: undefined },
    hearth: door(OURS.rest, servers.hearth),
    express: door(NAMES.express, servers.express),
    pipe: door(NAMES.pipe, servers.pipe),
  };
}

export async function measureRest(
  door: ProxyDoor,
  { clients, path = "/", headers = [] }: Pick<ProxyWork, "clients" | "path" | "headers">,
  atMostMs: number,
) {
  const lanes = Array.from(
    { length: clients },
    (_, index) => new KeepAliveClient(door.port, index, path, headers),
  );
  const sizes = new Set(await Promise.all(lanes.map((client) => client.ask())));
  if (sizes.size !== 1) throw new Error(`${door.name} gives answers of different sizes`);
  const [size] = sizes;
  const ask = (client: KeepAliveClient) => async (): Promise<void> => {
    if ((await client.ask()) !== size) throw new Error(`${door.name} gave an answer of another size`);
  };
  const sample = await runLanes(lanes.map(ask), atMostMs, door.server);
  for (const client of lanes) client.close();
  return sample;
}

async function measureEcho(door: ProxyDoor, { clients }: ProxyWork, atMostMs: number) {
  const lanes = await ramp(clients, (index) => EchoClient.open(door.port, index));
  await Promise.all(lanes.map((client) => client.ask()));
  const sample = await runLanes(
    lanes.map((client) => () => client.ask()),
    atMostMs,
    door.server,
  );
  await Promise.all(lanes.map((client) => client.close()));
  return sample;
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const { servers, direct, hearth, express, pipe } = await startDoors(run);
  const all = [hearth, express, pipe, direct];
  const works: readonly ProxyWork[] = [
    { name: REST, clients: CLIENTS, ...PUBLIC, doors: [hearth, express, direct] },
    { name: REST_TOKEN, clients: CLIENTS, ...WITH_TOKEN, doors: [hearth, express] },
    { name: "REST request, 1 connection", clients: 1, ...PUBLIC, doors: [hearth, express, direct] },
    { name: SOCKET, clients: CLIENTS, doors: all },
    { name: "socket message and its echo, 1 connection", clients: 1, doors: all },
  ];
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    for (const work of works) {
      for (const door of work.doors) {
        run.progress(`repetition ${repetition} of ${run.repetitions}: ${door.name}, ${work.name}`);
        const measure = work.path ? measureRest : measureEcho;
        const sample = await measure(door, work, run.quick ? 400 : 3_000);
        if (repetition > 0) results.add(work.name, door.name, sample);
      }
    }
  }
  for (const server of servers) await server.stop();
  return {
    results,
    notes: [
      "The proxy has a core of its own; the server behind it (1 KB of JSON, an echo) shares the client's.",
      "An echo is two messages through the proxy.",
    ],
  };
}

const goal = (title: string, work: string, against: string, limit: number): Goal => ({
  title,
  work,
  subject: OURS.rest,
  against,
  metric: "cpuPerItem",
  kind: "at most",
  limit,
});

export const gateway: Program = {
  name: "gateway",
  summary: "what the gateway costs a REST request and a socket message, against going direct",
  columns,
  goals: [
    goal("CPU of a REST request", REST, NAMES.express, 1),
    goal("CPU of a REST request with a token", REST_TOKEN, NAMES.express, 1),
    goal("CPU of a proxied socket message", SOCKET, NAMES.pipe, 1.2),
  ],
  run,
};
