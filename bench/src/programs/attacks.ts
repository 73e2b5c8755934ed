import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { RestClient } from "../accounts/rest-client.ts";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import type { Sample } from "../figures/results.ts";
import { startProduct, temporaryData } from "../servers/product.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { OURS } from "./names.ts";
import type { Outcome, Program, Run } from "./program.ts";

const MEGABYTE = 1024 * 1024;
const ASSET = "/assets/large-0123abcd.js";
const BODIES = "1,000 brotli bodies of a few bytes";
const DEAF = "990 connections that read nothing";
const WAIT_MS = 30_000;

/** A built client of one 1 MB file, removed when the process ends. */
function temporaryClient(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-web-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), "<!doctype html>");
  writeFileSync(path.join(folder, ASSET), Buffer.alloc(MEGABYTE, "/"));
  return folder;
}

async function open(port: number, bytes: string | Buffer): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.pause().write(bytes);
  return socket;
}

/** Forty at a time; each must be refused. */
async function sendBodies(port: number): Promise<() => void> {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
  const body = brotliCompressSync(Buffer.alloc(16 * MEGABYTE, " "), { params });
  const head = [
    ...["POST /api/users/login HTTP/1.1", "Host: x", "Connection: close", "Content-Type: application/json"],
    ...["Content-Encoding: br", `Content-Length: ${body.length}`, "", ""],
  ];
  const bytes = Buffer.concat([Buffer.from(head.join("\r\n")), body]);
  const refused = async (): Promise<void> => {
    const socket = await open(port, bytes);
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString())).resume();
    await once(socket, "close");
    if (!answer.startsWith("HTTP/1.1 415 "))
      throw new Error(`A body was not refused: ${answer.slice(0, 40)}`);
  };
  for (let round = 0; round < 25; round += 1) await Promise.all(Array.from({ length: 40 }, refused));
  return () => undefined;
}

async function openDeaf(port: number): Promise<() => void> {
  const requests = `GET ${ASSET} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(5);
  const sockets: Socket[] = [];
  for (let count = 0; count < 990; count += 1) sockets.push(await open(port, requests));
  await wait(2_000);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

const descriptorsOf = (server: ServerProcess): number => readdirSync(`/proc/${server.pid}/fd`).length;

/** The server's resources before, during (maximum) and after an attack, and its slowest health response. */
async function measure(
  server: ServerProcess,
  attack: (port: number) => Promise<() => void>,
  afterMs: number,
): Promise<Sample> {
  const rest = new RestClient(server.port);
  const memory = (): number => server.rssKib / 1024;
  const [before, filesBefore] = [memory(), descriptorsOf(server)];
  let [during, files, health] = [0, 0, 0];
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    while (!watching.signal.aborted) {
      const startedAt = performance.now();
      await rest.expect(200, { path: "/api/health" });
      health = Math.max(health, performance.now() - startedAt);
      [during, files] = [Math.max(during, memory()), Math.max(files, descriptorsOf(server))];
      await wait(50);
    }
  };
  const watched = watch();
  const end = await attack(server.port);
  end();
  await wait(500);
  watching.abort();
  await watched;
  await wait(afterMs);
  const [after, filesAfter] = [memory(), descriptorsOf(server)];
  rest.close();
  const grown = after - before;
  return { before, during, after, grown, filesBefore, files, filesLeft: filesAfter - filesBefore, health };
}

async function run(run: Run): Promise<Outcome> {
  const { cores, quick, repetitions } = run;
  const results = new Results();
  const environment = { WEB_ROOT: temporaryClient() };
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${repetitions}`);
    const server = await startProduct({ core: cores.server, dataDir: temporaryData(), environment });
    await wait(2_000);
    const afterMs = quick ? WAIT_MS / 2 : WAIT_MS;
    results.add(BODIES, OURS.rest, await measure(server, sendBodies, afterMs));
    results.add(DEAF, OURS.rest, await measure(server, openDeaf, afterMs));
    await server.stop();
  }
  return {
    results,
    notes: [
      `Memory and descriptors after an attack are those of ${quick ? 15 : 30} s later. Each repetition has a new server.`,
      "Health is the slowest of the answers that were asked for every 50 ms during the attack.",
    ],
  };
}

const goalsOf = (work: string): readonly Goal[] => {
  const common = { work, subject: OURS.rest, kind: "at most" } as const;
  return [
    { ...common, title: `${work}: memory kept in MiB`, metric: "grown", limit: 48 },
    { ...common, title: `${work}: descriptors kept`, metric: "filesLeft", limit: 10 },
    { ...common, title: `${work}: slowest health in ms`, metric: "health", limit: 1_000 },
  ];
};

export const attacks: Program = {
  name: "attacks",
  summary: "encoded bodies and deaf connections; memory, descriptors and health (AB1, AB2)",
  columns: [
    { metric: "before", title: "MiB before", digits: 0 },
    { metric: "during", title: "most during", digits: 0 },
    { metric: "after", title: "after", digits: 0 },
    { metric: "filesBefore", title: "descriptors before", digits: 0 },
    { metric: "files", title: "most during", digits: 0 },
    { metric: "filesLeft", title: "kept", digits: 0 },
    { metric: "health", title: "health max ms", digits: 0 },
  ],
  goals: [...goalsOf(BODIES), ...goalsOf(DEAF)],
  run,
};
