import { credentialSchema } from "@hearth/contracts";
import { PASSWORD, usernameOf } from "../accounts/accounts.ts";
import { RestClient } from "../accounts/rest-client.ts";
import type { Goal } from "../figures/goals.ts";
import { Results } from "../figures/results.ts";
import type { Sample } from "../figures/results.ts";
import type { Column } from "../figures/table.ts";
import { startPeer } from "../servers/peers.ts";
import { BCRYPT_COST } from "../servers/product.ts";
import type { ServerProcess } from "../servers/server-process.ts";
import { OURS } from "./names.ts";
import { prepareProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "perSecond", title: "logins/s", digits: 2 },
  { metric: "delayP99", title: "loop delay p99 ms", digits: 2 },
  { metric: "delayMax", title: "loop delay max ms", digits: 1 },
  { metric: "done", title: "logins", digits: 0 },
];

const BARE = "bare native bcrypt";
const ACCOUNTS = 24;
/** The number of waiting logins beyond those being hashed. */
const WAITING = 3;
/** Fewer than one address may request in a window. */
const PER_ADDRESS = 60;

const work = "logins";

/** The server's event-loop delay during some work. */
async function withDelay<Done>(server: ServerProcess, act: () => Promise<Done>): Promise<[Done, Sample]> {
  await server.ask("start-delay");
  const done = await act();
  const { p99, max } = await server.ask("stop-delay");
  return [done, { delayP99: Number(p99), delayMax: Number(max) }];
}

/** Logs in over REST with correct passwords, never twice at once for one account. */
class Logins {
  private readonly rest: RestClient;
  private readonly free = Array.from({ length: ACCOUNTS }, (_, index) => index);
  private asked = 0;

  constructor(rest: RestClient) {
    this.rest = rest;
  }

  async keepUp(inFlight: number, forMs: number): Promise<Sample> {
    const startedAt = performance.now();
    let done = 0;
    const lane = async (): Promise<void> => {
      while (performance.now() - startedAt < forMs) {
        await this.one();
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return { done, perSecond: done / ((performance.now() - startedAt) / 1000) };
  }

  private async one(): Promise<void> {
    const account = this.free.shift() ?? 0;
    // Separate addresses, because those of the registrations have used up part of their limits.
    const from = 1_000 + Math.floor(this.asked++ / PER_ADDRESS);
    const body = { username: usernameOf(account), password: PASSWORD };
    const answer = await this.rest.expect(200, { method: "POST", path: "/api/users/login", body, from });
    if (credentialSchema.parse(answer).username !== body.username) throw new Error("Somebody else logged in");
    this.free.push(account);
  }
}

async function bareLogins(peer: ServerProcess, slots: number, forMs: number): Promise<Sample> {
  const rest = new RestClient(peer.port);
  const path = `/?ms=${forMs}&inFlight=${slots}&cost=${BCRYPT_COST}`;
  const { done, seconds } = (await rest.expect(200, { path })) as { done: number; seconds: number };
  rest.close();
  return { done, perSecond: done / seconds };
}

async function run(run: Run): Promise<Outcome> {
  const results = new Results();
  // Hashing needs other cores than the event loop's, so nothing is pinned.
  const slots = Math.max(1, run.cores.count - 1);
  const product = await prepareProduct(run.cores.all, ACCOUNTS);
  const peer = await startPeer("bcrypt", BARE, { core: run.cores.all });
  const forMs = run.quick ? 2_000 : 10_000;
  const logins = new Logins(product.rest);
  for (let repetition = run.quick ? 1 : 0; repetition <= run.repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${run.repetitions}`);
    const [ours, ourDelay] = await withDelay(product.server, () => logins.keepUp(slots + WAITING, forMs));
    const [bare, bareDelay] = await withDelay(peer, () => bareLogins(peer, slots, forMs));
    if (repetition === 0) continue;
    results.add(work, OURS.rest, { ...ours, ...ourDelay });
    results.add(work, BARE, { ...bare, ...bareDelay });
  }
  product.rest.close();
  await product.server.stop();
  await peer.stop();
  return {
    results,
    notes: [
      `Cost ${BCRYPT_COST}; ${slots} hash${slots === 1 ? "" : "es"} at a time on either side: the cores but one. Nothing is pinned, save the client.`,
      "Delay is what a timer of 1 ms in the server's event loop is late by.",
    ],
  };
}

const goals: readonly Goal[] = [
  {
    title: "logins per second",
    work,
    subject: OURS.rest,
    against: BARE,
    metric: "perSecond",
    kind: "at least",
    limit: 0.95,
  },
  {
    title: "event-loop delay p99 in ms meanwhile",
    work,
    subject: OURS.rest,
    metric: "delayP99",
    kind: "at most",
    limit: 5,
  },
];

export const login: Program = {
  name: "login",
  summary: "logins per second against bare bcrypt, and the event loop meanwhile",
  columns,
  goals,
  run,
};
