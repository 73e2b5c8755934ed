import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, PASSWORD } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const QUIET = "198.51.100.7";
const NOISY_ADDRESSES = 60;
/** Parallel logins of each noisy address. */
const AT_ONCE = 3;
const NOISE_MS = 7_000;
const BASELINE_MS = 2_000;
const LOGINS = 4;

/** `TRUST_PROXY`: the test sets a client's address, like a proxy in front. */
const server = serverForTests({ env: { TRUST_PROXY: "1", MAX_WAITING_LOGINS_PER_ADDRESS: "4" } });

const login = (address: string, username: string, password = PASSWORD) =>
  call(server.url, "POST", "/api/users/login", {
    body: { username, password },
    headers: { "x-forwarded-for": address },
  });

let names = 0;
/** Guesses at unknown names for some time; resolves with the number of responses. */
async function guess(address: string, until: number): Promise<number> {
  let answered = 0;
  while (performance.now() < until) {
    const { status } = await login(address, `guess-${(names += 1)}`, "a good guess");
    if (status === 401) answered += 1;
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return answered;
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

async function timedLogins(): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < LOGINS; n += 1) {
    const from = performance.now();
    const { status } = await login(QUIET, "quiet");
    times.push(performance.now() - from);
    expect(status).toBe(200);
  }
  return times;
}

beforeAll(async () => {
  const body = { username: "quiet", password: PASSWORD };
  const headers = { "x-forwarded-for": QUIET };
  const { status } = await call(server.url, "POST", "/api/users/register", { body, headers });
  expect(status).toBe(201);
});

describe("logins under attack", () => {
  it("AB7 60 noisy addresses delay a quiet one by at most 2 s, and the server keeps hashing", async () => {
    const alone = await timedLogins();
    const baselineEnd = performance.now() + BASELINE_MS;
    const baseline = await Promise.all([1, 2, 3, 4].map((n) => guess(`192.0.2.${n}`, baselineEnd)));

    const from = performance.now();
    const noise = Promise.all(
      Array.from({ length: NOISY_ADDRESSES * AT_ONCE }, (_, n) =>
        guess(`203.0.113.${(n % NOISY_ADDRESSES) + 1}`, from + NOISE_MS),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, NOISE_MS / 3));
    const during = await timedLogins();
    const answered = total(await noise) + LOGINS;
    const perSecond = {
      quiet: total(baseline) / (BASELINE_MS / 1000),
      noisy: answered / ((performance.now() - from) / 1000),
    };
    const rounded = (values: readonly number[]) => values.map((value) => Math.round(value)).join(", ");
    process.stdout.write(
      `AB7 logins of a quiet address: alone ${rounded(alone)} ms, under attack ${rounded(during)} ms; ` +
        `hashes a second: ${perSecond.quiet.toFixed(1)} with 4 addresses, ${perSecond.noisy.toFixed(1)} with ${NOISY_ADDRESSES}\n`,
    );
    expect(Math.max(...during)).toBeLessThan(Math.max(...alone) + 2_000);
    // `npm run bench -- login` measures the exact rate; a stalled queue would be far below this.
    expect(perSecond.noisy).toBeGreaterThan(perSecond.quiet * 0.2);
  }, 40_000);

  it("AB7 at most four logins of one address wait; its others get 429", async () => {
    const guesses = Array.from({ length: 20 }, (_, n) => login("192.0.2.99", `crowd-${n}`, "a good guess"));
    const answers = await Promise.all(guesses);
    const refused = answers.filter(({ status }) => status !== 401);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const answer of refused) {
      expectProblem(answer, "RATE_LIMITED");
    }
    expect((await login(QUIET, "quiet")).status).toBe(200);
  });
});
