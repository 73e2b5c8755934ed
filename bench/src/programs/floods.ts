import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Credential } from "@hearth/contracts";
import { createServer } from "../accounts/accounts.ts";
import { chatMessage } from "../fanout/chat.ts";
import { Results } from "../figures/results.ts";
import type { Sample } from "../figures/results.ts";
import { percentile } from "../figures/statistics.ts";
import type { FloodOutcome, FloodPlan } from "../floods/flood.ts";
import { ClientSocket } from "../wire/client-socket.ts";
import { plainDoor } from "../wire/doors.ts";
import { OURS } from "./names.ts";
import { accountFor, identifyAndJoin, prepareProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const QUIET = "an uninvolved room, quiet server";
const FLOODED = "an uninvolved room, four accounts flood another";
const FLOODERS = 4;
const READERS = 10;
const ROOM_MATES = 2;
const SETTLE_MS = 1_000;
/** Below the rate of one connection. */
const EVERY_MS = 20;

const entry = new URL("../../entries/flood.ts", import.meta.url);

/** Two users who chat: the latency of each message. */
class Talk {
  private readonly speaker: ClientSocket;
  private readonly listener: ClientSocket;
  private readonly serverId: string;
  private number = 0;

  private constructor(speaker: ClientSocket, listener: ClientSocket, serverId: string) {
    this.speaker = speaker;
    this.listener = listener;
    this.serverId = serverId;
  }

  static async open(port: number, serverId: string, people: readonly Credential[]): Promise<Talk> {
    const sockets = await Promise.all([0, 1].map((index) => ClientSocket.open(port, plainDoor, index)));
    const [speaker, listener] = sockets;
    if (!speaker || !listener) throw new Error("Two were to talk");
    await identifyAndJoin(speaker, accountFor(people, 0), serverId);
    await identifyAndJoin(listener, accountFor(people, 1), serverId);
    return new Talk(speaker, listener, serverId);
  }

  async measure(messages: number): Promise<Sample> {
    const tooks: number[] = [];
    for (let n = 0; n < messages; n += 1) {
      const startedAt = performance.now();
      const heard = this.listener.next("chat_message");
      this.speaker.send(chatMessage(this.serverId, this.number++));
      await heard;
      tooks.push(performance.now() - startedAt);
      await wait(EVERY_MS);
    }
    return { p50: percentile(tooks, 50), p99: percentile(tooks, 99), messages };
  }

  async close(): Promise<void> {
    await Promise.all([this.speaker.close(), this.listener.close()]);
  }
}

/** Results during a flood, and the flood's outcome. */
async function during(plan: FloodPlan, measure: () => Promise<Sample>): Promise<Sample> {
  const worker = new Worker(entry, { workerData: plan });
  await once(worker, "message");
  await wait(SETTLE_MS);
  const startedAt = performance.now();
  const sample = await measure();
  worker.postMessage("stop");
  const [outcome] = (await once(worker, "message")) as [FloodOutcome];
  const seconds = (performance.now() - startedAt + SETTLE_MS) / 1_000;
  await worker.terminate();
  if (outcome.readersClosed > 0) throw new Error(`${outcome.readersClosed} readers were closed`);
  if (outcome.readBytes === 0) throw new Error("The flooded room's readers heard nothing");
  const rate = (bytes: number): number => bytes / seconds / 1e6;
  const { sentBytes, readBytes, redials } = outcome;
  return { ...sample, sent: rate(sentBytes), read: rate(readBytes), redials };
}

/** The server's share of a core meanwhile. */
async function withCpu(
  server: { readonly cpuMicros: number },
  measure: () => Promise<Sample>,
): Promise<Sample> {
  const [startedAt, before] = [performance.now(), server.cpuMicros];
  const sample = await measure();
  const cpu = (server.cpuMicros - before) / 10 / (performance.now() - startedAt);
  return { ...sample, cpu };
}

async function run(run: Run): Promise<Outcome> {
  const { cores, quick, repetitions } = run;
  const results = new Results();
  const { server, rest, accounts } = await prepareProduct(cores.server, FLOODERS + READERS + ROOM_MATES);
  const [people, others] = [accounts.slice(0, ROOM_MATES), accounts.slice(ROOM_MATES)];
  const quietId = await createServer(rest, accountFor(people, 0));
  const floodedId = await createServer(rest, accountFor(others, 0));
  rest.close();
  const plan: FloodPlan = {
    port: server.port,
    serverId: floodedId,
    readers: others.slice(0, READERS),
    senders: others.slice(READERS),
  };
  const messages = quick ? 50 : 500;
  const talk = await Talk.open(server.port, quietId, people);
  await talk.measure(50);
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${repetitions}`);
    const measure = (): Promise<Sample> => withCpu(server, () => talk.measure(messages));
    results.add(QUIET, OURS.plain, await measure());
    results.add(FLOODED, OURS.plain, await during(plan, measure));
    await wait(SETTLE_MS);
  }
  await talk.close();
  await server.stop();
  return {
    results,
    notes: [
      "Twenty sockets of four accounts send 4 MB/s into a room of thirty readers and dial again when they are closed.",
      "The run fails when a reader of the flooded room is closed.",
    ],
  };
}

export const floods: Program = {
  name: "floods",
  summary: "four accounts flood a room; what another room notices of it",
  columns: [
    { metric: "p50", title: "p50 ms", digits: 2 },
    { metric: "p99", title: "p99 ms", digits: 2 },
    { metric: "messages", title: "messages", digits: 0 },
    { metric: "cpu", title: "server CPU %", digits: 0 },
    { metric: "sent", title: "flood sent MB/s", digits: 2 },
    { metric: "read", title: "a reader got MB/s", digits: 2 },
    { metric: "redials", title: "flooders closed", digits: 0 },
  ],
  goals: [
    {
      title: "an uninvolved room's p99",
      work: FLOODED,
      subject: OURS.plain,
      against: OURS.plain,
      againstWork: QUIET,
      metric: "p99",
      kind: "at most",
      limit: 3,
    },
  ],
  run,
};
