import { execFileSync } from "node:child_process";
import { serverSchema } from "@hearth/contracts";
import { serveBarePage } from "../client/bare-page.ts";
import { launchChromium } from "../client/chromium.ts";
import { firstVisit, nextVisit } from "../client/first-screen.ts";
import { fillRoom, signedIn } from "../client/room.ts";
import { scrolling } from "../client/scrolling.ts";
import { Results } from "../figures/results.ts";
import type { Goal } from "../figures/goals.ts";
import type { Column } from "../figures/table.ts";
import { accountFor, prepareProduct } from "./product-clients.ts";
import type { PreparedProduct } from "./product-clients.ts";
import type { Outcome, Program, Run } from "./program.ts";

const columns: readonly Column[] = [
  { metric: "paintMs", title: "first paint ms", digits: 0 },
  { metric: "shownMs", title: "shown ms", digits: 0 },
  { metric: "kib", title: "KiB over the wire", digits: 0 },
  { metric: "frameP50", title: "frame p50 ms", digits: 1 },
  { metric: "frameP95", title: "frame p95 ms", digits: 1 },
  { metric: "frameMax", title: "longest frame ms", digits: 0 },
  { metric: "longTasks", title: "tasks over 50 ms", digits: 0 },
];

const FIRST = "first visit: until the heading stands there";
const RETURN = "coming back signed in: until messages stand there";
const SCROLL = "scrolling up through 10,000 messages";
const OURS = "Hearth's client";
const BARE = "a bare page";
const MESSAGES = 10_000;

async function makeRoom({ rest, accounts }: PreparedProduct) {
  const { token } = accountFor(accounts, 0);
  const body = { name: "Bench", channels: [{ name: "general" }] };
  const made = serverSchema.parse(
    await rest.expect(201, { method: "POST", path: "/api/servers", token, body }),
  );
  const [channel] = made.channels;
  if (channel === undefined) throw new Error("The server has no channel");
  return { id: made.id, channelId: channel.id };
}

async function run(run: Run): Promise<Outcome> {
  const { cores, quick, repetitions } = run;
  const results = new Results();
  execFileSync(process.execPath, ["desktop/tools/build/main.ts", "renderer"], { stdio: "inherit" });
  const product = await prepareProduct(cores.all, 1);
  const url = `http://127.0.0.1:${product.server.port}`;
  const account = accountFor(product.accounts, 0);
  const bare = await serveBarePage();
  const browser = await launchChromium(cores);
  const room = await makeRoom(product);
  const address = `${url}/rooms/${room.id}/${room.channelId}`;
  const context = await signedIn(browser, url, account);
  const messages = quick ? 1_000 : MESSAGES;
  run.progress(`handing over ${messages} messages`);
  await fillRoom(context, url, account, room, messages);
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    run.progress(`repetition ${repetition} of ${repetitions}`);
    const ours = await firstVisit(browser, `${url}/login`, "h1");
    const theirs = await firstVisit(browser, bare.url, "h1");
    const back = await nextVisit(context, address, "article");
    const scrolled = await scrolling(context, address, quick ? 20 : 100);
    // The first run warms the machine's caches.
    if (repetition === 0) continue;
    results.add(FIRST, OURS, ours);
    results.add(FIRST, BARE, theirs);
    results.add(RETURN, OURS, back);
    results.add(SCROLL, OURS, scrolled);
  }
  await browser.close();
  bare.stop();
  product.rest.close();
  await product.server.stop();
  const notes = [
    `${messages} messages in one channel. Chromium without a graphics card, everything on one machine.`,
  ];
  return { results, notes };
}

const atMost = (title: string, work: string, metric: string, limit: number): Goal => ({
  ...{ title, work, metric, limit },
  subject: OURS,
  kind: "at most",
});

const goals: readonly Goal[] = [
  atMost("ms until the first screen", FIRST, "shownMs", 1_000),
  atMost("ms until messages stand there", RETURN, "shownMs", 1_500),
  atMost("ms a frame while scrolling, p95", SCROLL, "frameP95", 34),
];

export const client: Program = {
  name: "client",
  summary: "the client in Chromium: its first screen, coming back, and scrolling 10,000 messages",
  columns,
  goals,
  run,
};
