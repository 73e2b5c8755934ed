import { isDeepStrictEqual } from "node:util";
import { RestClient } from "../accounts/rest-client.ts";
import { filledDevice, sizeMib } from "../device/filled-device.ts";
import type { FilledDevice } from "../device/filled-device.ts";
import { Results } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { HOST } from "../machine/addresses.ts";
import { buildLocalApi, loginAt, startLocalApi } from "../servers/local-api.ts";
import { startPeer } from "../servers/peers.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { measureRest } from "./gateway.ts";
import { BARE, LIMITS, localApiGoals, WHERE, workOf } from "./local-api-goals.ts";
import { OURS } from "./names.ts";
import { prepareProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "cpuPerItem", title: "server µs CPU/request", digits: 0 },
  { metric: "perSecond", title: "requests/s", digits: 0 },
  { metric: "p50Micros", title: "p50 µs", digits: 0 },
  { metric: "p99Micros", title: "p99 µs", digits: 0 },
  { metric: "messagesPerSecond", title: "messages/s", digits: 0 },
  { metric: "mib", title: "MiB", digits: 0 },
];

const MESSAGES = 1_000_000;
const QUICK_MESSAGES = 50_000;
const CONNECTIONS = 8;
/** Many short rounds per repetition, so that compared pages are requested within a second of each other. */
const ROUNDS = 5;
const ROUND_MS = 400;

interface Question {
  readonly work: string;
  readonly path: string;
  /** Records in the answer. */
  readonly count: number;
  /** The equivalent request to the bare server; without one it is not measured. */
  readonly bare: { readonly path: string; readonly measured: boolean };
}

interface LoggedIn {
  readonly ours: ServerProcess;
  readonly token: string;
}

interface Sides extends LoggedIn {
  readonly bare: ServerProcess;
}

export const firstPage = ({ roomId }: FilledDevice, limit: number): string =>
  `/api/rooms/${roomId}/messages?limit=${limit}&offset=0`;

export const bearer = (token: string): readonly string[] => [`Authorization: Bearer ${token}`];

/** The product's local API, logged in at a signaling server that is then stopped. */
export async function startLoggedIn({ cores }: Run, device: FilledDevice): Promise<LoggedIn> {
  buildLocalApi();
  const signaling = await prepareProduct(cores.server, 1);
  const ours = await startLocalApi(device, `http://${HOST}:${signaling.server.port}`, cores.server);
  const token = await loginAt(ours, signaling.server.port);
  signaling.rest.close();
  await signaling.server.stop();
  return { ours, token };
}

/** The path of a page's `next` link. */
async function nextOf({ ours, token }: Sides, path: string): Promise<string> {
  const response = await fetch(`http://${HOST}:${ours.port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  if (next === undefined) throw new Error(`A page in the middle, ${response.status}, has no next link`);
  return next;
}

async function questionsOf(
  sides: Sides,
  { roomId, messages, sinceTimestamp, changes }: FilledDevice,
): Promise<Question[]> {
  const room = `/api/rooms/${roomId}/messages`;
  const questions: Question[] = [];
  for (const limit of LIMITS) {
    const page = (offset: number): string => `${room}?limit=${limit}&offset=${offset}`;
    const at = (where: string, offset: number): Question => {
      const path = page(offset);
      return { work: workOf(limit, where), path, count: limit, bare: { path, measured: true } };
    };
    const deep = messages * 0.9;
    questions.push(at(WHERE.first, 0), {
      work: workOf(limit, WHERE.next),
      path: await nextOf(sides, page(deep)),
      count: limit,
      bare: { path: page(deep + limit), measured: false },
    });
    questions.push(at(WHERE.tenth, messages / 10), at(WHERE.deep, deep));
  }
  const since = `${room}/since?sinceTimestamp=${sinceTimestamp}`;
  return [
    ...questions,
    { work: "since", path: since, count: changes, bare: { path: since, measured: true } },
  ];
}

/** Both return the same, complete records. */
async function check({ ours, bare, token }: Sides, { path, count, bare: theirs }: Question): Promise<void> {
  const clients = [new RestClient(ours.port), new RestClient(bare.port)] as const;
  const records = await clients[0].expect(200, { path, token });
  const same = isDeepStrictEqual(records, await clients[1].expect(200, { path: theirs.path }));
  for (const client of clients) client.close();
  if (!same) throw new Error(`Different records are answered to ${path}`);
  if (!Array.isArray(records) || records.length !== count)
    throw new Error(`Not all records are answered to ${path}`);
}

async function measure(
  run: Run,
  sides: Sides,
  questions: readonly Question[],
  results: Results,
): Promise<void> {
  const { ours, bare, token } = sides;
  const headers = bearer(token);
  const rounds = run.repetitions * (run.quick ? 1 : ROUNDS);
  for (let round = run.quick ? 1 : 0; round <= rounds; round += 1) {
    run.progress(`round ${round} of ${rounds}`);
    for (const question of questions) {
      const ask = async (server: ServerProcess, name: string, path: string): Promise<void> => {
        const door = { name, port: server.port, server };
        const sample = await measureRest(door, { clients: CONNECTIONS, path, headers }, ROUND_MS);
        if (round > 0) results.add(question.work, name, sample);
      };
      await ask(ours, OURS.rest, question.path);
      if (question.bare.measured) await ask(bare, BARE, question.bare.path);
    }
  }
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  const messages = run.quick ? QUICK_MESSAGES : MESSAGES;
  const device = await filledDevice(messages, run.cores.server, (text) => run.progress(text));
  const environment = { DEVICE_FILE: device.file };
  const bare = await startPeer("sqlite-http", BARE, { core: run.cores.server, environment });
  const sides: Sides = { ...(await startLoggedIn(run, device)), bare };
  const questions = await questionsOf(sides, device);
  for (const question of questions) await check(sides, question);
  await measure(run, sides, questions, results);
  const mib = (server: ServerProcess): number => server.rssKib / 1024;
  results.add("memory after all this", OURS.rest, { mib: mib(sides.ours) });
  results.add("memory after all this", BARE, { mib: mib(sides.bare) });
  results.add("filling the device", OURS.rest, { messagesPerSecond: device.perSecond, mib: sizeMib(device) });
  await sides.ours.stop();
  await sides.bare.stop();
  return {
    results,
    notes: [
      `One room of ${messages} messages in ${device.folder}, which is kept for the next run.`,
      `"10 % in" is offset ${messages / 10}. since has ${device.changes} changes. ${CONNECTIONS} kept connections.`,
      ...(run.quick ? [] : [`Each repetition is ${ROUNDS} rounds over all of it.`]),
      "Both sides read the same file and were found to answer the same records.",
    ],
  };
}

export const localApi: Program = {
  name: "local-api",
  summary: "a page of a large room from the desktop app's local API, against bare node:sqlite and node:http",
  columns,
  goals: localApiGoals,
  run,
};
