import type { Credential, Problem } from "@hearth/contracts";
import { beforeAll, expect, it } from "@jest/globals";
import { type Answer, type CallOptions, call, createServer, register } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

// The rule's limits, which other suites turn off.
const server = serverForTests({
  env: {
    TRUST_PROXY: "loopback",
    MAX_ACCOUNT_WRITES_PER_SECOND: "20",
    MAX_ADDRESS_WRITES_PER_SECOND: "20",
    MAX_ADDRESS_SEARCHES_PER_SECOND: "5",
    MAX_ADDRESS_READS_PER_SECOND: "50",
  },
});
let ada: Credential;
let bo: Credential;

beforeAll(async () => {
  ada = await register(server.url, "ada");
  bo = await register(server.url, "bob");
});

let addresses = 0;
/** An unused address. */
const freshAddress = (): string => `203.0.113.${(addresses += 1)}`;

/** Makes this many parallel calls; returns all and those refused by the limit. */
const flood = async (
  count: number,
  method: string,
  path: string,
  options: CallOptions,
): Promise<readonly Answer<unknown>[]> => {
  const answers = await Promise.all(
    Array.from({ length: count }, () => call<Problem>(server.url, method, path, options)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  for (const answer of refused) expectProblem(answer, "RATE_LIMITED");
  return refused;
};
const from = (address: string, token?: string): CallOptions => ({
  headers: { "x-forwarded-for": address },
  ...(token !== undefined && { token }),
});
const renaming = { body: { displayName: "Ada" } };

it("AB3 ER5 an account's writes past 20 a second or 60 at once get 429 with Retry-After", async () => {
  const refused = await flood(300, "PATCH", "/api/users/me", {
    ...from(freshAddress(), ada.token),
    ...renaming,
  });
  expect(refused.length).toBeGreaterThan(30);
  const [first] = refused;
  expect(Number(first?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(first?.headers.get("ratelimit-policy")).toMatch(/-writes";q=60;w=3$/);
  expect(first?.headers.get("x-ratelimit-limit")).toBe("60");
  const others = await flood(5, "PATCH", "/api/users/me", { ...from(freshAddress(), bo.token), ...renaming });
  expect(others).toHaveLength(0);
}, 60_000);

it("AB3 an account cannot evade the limit with more addresses, nor an address with more accounts", async () => {
  let refused = 0;
  for (let round = 0; round < 8; round++) {
    const options = { ...from(freshAddress(), bo.token), ...renaming };
    refused += (await flood(40, "PATCH", "/api/users/me", options)).length;
  }
  expect(refused).toBeGreaterThan(20);
  const shared = from(freshAddress());
  const strangers = await flood(300, "POST", "/api/users/logout", shared);
  expect(strangers.length).toBeGreaterThan(30);
}, 60_000);

it("AB3 anonymous reads past 50 a second or 200 at once get 429; signed-in users keep reading", async () => {
  const address = freshAddress();
  expect((await flood(800, "GET", "/api/servers", from(address))).length).toBeGreaterThan(50);
  expect(await flood(50, "GET", "/api/servers/mine", from(address, ada.token))).toHaveLength(0);
  expect(await flood(50, "GET", "/api/servers", from(freshAddress()))).toHaveLength(0);
  expect((await call(server.url, "GET", "/api/health", from(address))).status).toBe(200);
}, 60_000);

it("AB3 an address's searches past 5 a second or 20 at once get 429", async () => {
  const path = "/api/servers/search?q=hearth";
  expect((await flood(150, "GET", path, from(freshAddress()))).length).toBeGreaterThan(20);
  expect(await flood(15, "GET", path, from(freshAddress()))).toHaveLength(0);
}, 60_000);

it("AB3 a client's start and a user's busy minute stay within every budget", async () => {
  const address = freshAddress();
  const person = await register(server.url, "cleo");
  const statuses: number[] = [];
  const ask = async (method: string, path: string, options: CallOptions = {}): Promise<void> => {
    const { status } = await call(server.url, method, path, { ...from(address, person.token), ...options });
    statuses.push(status);
  };
  const made = await createServer(server.url, person, { name: "Hearth" });
  await Promise.all(
    ["/api/users/me", "/api/servers/mine", "/api/servers", `/api/servers/${made.id}`].map((path) =>
      ask("GET", path),
    ),
  );
  for (let typed = 0; typed < 8; typed++) await ask("GET", `/api/servers/search?q=h${typed}`);
  for (let change = 0; change < 20; change++)
    await ask("PATCH", "/api/users/me", { body: { displayName: `Cleo ${change}` } });
  expect(new Set(statuses)).toEqual(new Set([200]));
});
