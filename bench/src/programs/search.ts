import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RestClient } from "../accounts/rest-client.ts";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import type { Sample } from "../figures/results.ts";
import { percentile } from "../figures/statistics.ts";
import type { Column } from "../figures/table.ts";
import { startProduct, temporaryData } from "../servers/product.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { OURS } from "./names.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "perSecond", title: "searches/s", digits: 0 },
  { metric: "delayP50", title: "loop delay p50 ms", digits: 2 },
  { metric: "delayP99", title: "loop delay p99 ms", digits: 2 },
  { metric: "delayMax", title: "loop delay max ms", digits: 1 },
  { metric: "healthP99", title: "health p99 ms", digits: 1 },
];

const SERVERS = 10_000;
const LOOPS = 20;
/** Fewer than one address may request at once. */
const PER_ADDRESS = 8;
const work = `${LOOPS} search loops over ${SERVERS} servers`;

/** The most expensive searches: common words, frequent prefixes and typing errors in long words. */
const QUERIES = [
  "the club of",
  "a",
  "a b c d e f g h",
  "the club word",
  "aword bword cword dword eword fword gword hword",
  "abcdefghijklmnopqrst bcdefghijklmnopqrstu",
  "0 1 2 3 4 5 6 7 8 9",
] as const;

const entry = fileURLToPath(new URL("../../entries/fill-servers.ts", import.meta.url));

async function filledData(servers: number): Promise<string> {
  const folder = temporaryData();
  const database = path.join(folder, "discovery.db");
  const args = ["--disable-warning=ExperimentalWarning", entry, database, String(servers)];
  await promisify(execFile)(process.execPath, args);
  return folder;
}

/** Searches without a pause in independent loops, while another client requests the server's health. */
class Searches {
  private readonly port: number;
  private asked = 0;

  constructor(port: number) {
    this.port = port;
  }

  async keepUp(forMs: number): Promise<Sample> {
    const startedAt = performance.now();
    const health: number[] = [];
    let done = 0;
    const isOver = (): boolean => performance.now() - startedAt >= forMs;
    const loop = async (number: number): Promise<void> => {
      const rest = new RestClient(this.port);
      for (let round = number; !isOver(); round += 1) {
        const q = encodeURIComponent(QUERIES[round % QUERIES.length] ?? "");
        const from = 1_000 + Math.floor(this.asked++ / PER_ADDRESS);
        const answer = await rest.expect(200, { path: `/api/servers/search?q=${q}&limit=100`, from });
        if (!Array.isArray((answer as { items?: unknown }).items)) throw new Error("No page of servers");
        done += 1;
      }
      rest.close();
    };
    const watch = async (): Promise<void> => {
      const rest = new RestClient(this.port);
      while (!isOver()) {
        const askedAt = performance.now();
        await rest.expect(200, { path: "/api/health" });
        health.push(performance.now() - askedAt);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      rest.close();
    };
    await Promise.all([watch(), ...Array.from({ length: LOOPS }, (_, number) => loop(number))]);
    const perSecond = done / ((performance.now() - startedAt) / 1000);
    return { perSecond, healthP99: percentile(health, 99) };
  }
}

async function measured(server: ServerProcess, act: () => Promise<Sample>): Promise<Sample> {
  await server.ask("start-delay");
  const sample = await act();
  const { p50, p99, max } = await server.ask("stop-delay");
  return { ...sample, delayP50: Number(p50), delayP99: Number(p99), delayMax: Number(max) };
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  run.progress(`writing ${SERVERS} servers`);
  const dataDir = await filledData(SERVERS);
  const server = await startProduct({ core: run.cores.server, dataDir });
  const searches = new Searches(server.port);
  const forMs = run.quick ? 2_000 : 10_000;
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${run.repetitions}`);
    const sample = await measured(server, () => searches.keepUp(forMs));
    if (repetition > 0) results.add(work, OURS.rest, sample);
  }
  await server.stop();
  return {
    results,
    notes: [
      "The queries are those that cost most; each page has up to 100 servers. The loops change their address, so that the limit per address refuses none.",
      "Delay is what a timer of 1 ms in the server's event loop is late by.",
    ],
  };
}

const goals: readonly Goal[] = [
  {
    title: "event-loop delay p99 in ms",
    work,
    subject: OURS.rest,
    metric: "delayP99",
    kind: "at most",
    limit: 50,
  },
];

export const search: Program = {
  name: "search",
  summary: "searches per second in a large directory, and the event loop meanwhile",
  columns,
  goals,
  run,
};
