import { afterEach, describe, expect, it } from "@jest/globals";
import { problemSchema } from "./openapi/problem.ts";
import { createWorld } from "./testing/world.ts";
import type { World, WorldOptions } from "./testing/world.ts";

describe("REST budgets", () => {
  let world: World | undefined;
  afterEach(() => world?.close());
  const start = async (env: WorldOptions["env"] = {}): Promise<World> => {
    world = await createWorld({ env });
    return world;
  };
  /** How many of so many requests at once were refused, and the first of those answers. */
  const flood = async (count: number, path: string, init: RequestInit = {}) => {
    const { fetch } = world ?? (await start());
    const answers = await Promise.all(Array.from({ length: count }, () => fetch(path, init)));
    const refused = answers.filter(({ status }) => status === 429);
    return { refused: refused.length, first: refused[0] };
  };
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });
  const WRITE = "/api/servers/0190b1f0-0000-7000-8000-000000000001/leave";

  it("AB3 ER5 refuse an address that writes more than its burst, before auth is asked", async () => {
    const { auth } = await start();
    const { refused, first } = await flood(300, WRITE, { method: "POST", headers: bearer("f".repeat(64)) });
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThanOrEqual(240);
    expect(auth.asked.count).toBeLessThanOrEqual(300 - refused);
    expect(problemSchema.parse(await first?.json())).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(first?.headers.get("retry-after")).toBe("1");
    expect(first?.headers.get("ratelimit-policy")).toBe('"address-writes";q=60;w=3');
    expect(first?.headers.get("x-ratelimit-remaining")).toBe("0");
  });

  it("AB3 refuse an account that writes from many addresses, and no other account", async () => {
    const { auth } = await start({ TRUST_PROXY: "1" });
    const [ada, bo] = [auth.signIn(), auth.signIn()];
    let refused = 0;
    for (let address = 1; address <= 6; address++) {
      const headers = { ...from(`203.0.113.${address}`), ...bearer(ada.token) };
      const answer = await flood(50, WRITE, { method: "POST", headers });
      refused += answer.refused;
      if (answer.first) {
        expect(answer.first.headers.get("ratelimit-policy")).toBe('"account-writes";q=60;w=3');
      }
    }
    expect(refused).toBeGreaterThan(10);
    expect(
      (await flood(10, WRITE, { method: "POST", headers: { ...from("203.0.113.9"), ...bearer(bo.token) } }))
        .refused,
    ).toBe(0);
  });

  it("AB3 refuse anonymous reads past the burst, also those with bad tokens, and no reads of signed-in users", async () => {
    const { auth } = await start();
    const { token } = auth.signIn();
    const unknown = await flood(800, "/api/servers/mine", { headers: bearer("f".repeat(64)) });
    expect(unknown.refused).toBeGreaterThan(0);
    expect((await flood(400, "/api/servers")).refused).toBeGreaterThan(0);
    expect((await flood(300, "/api/servers/mine", { headers: bearer(token) })).refused).toBe(0);
    expect((await flood(300, "/api/health")).refused).toBe(0);
  });

  it("AB3 refuse searches past the burst, and IPv6 addresses by their /64", async () => {
    await start({ TRUST_PROXY: "1" });
    const search = "/api/servers/search?q=a";
    const { refused, first } = await flood(100, search, { headers: from("2001:db8::1") });
    expect(refused).toBeGreaterThanOrEqual(15);
    expect(first?.headers.get("ratelimit-policy")).toBe('"address-searches";q=20;w=4');
    expect((await flood(5, search, { headers: from("2001:db8::2") })).refused).toBeGreaterThan(0);
    expect((await flood(5, search, { headers: from("2001:db8:0:1::1") })).refused).toBe(0);
  });

  it("AB3 are off when they are 0", async () => {
    await start({ MAX_ADDRESS_WRITES_PER_SECOND: "0", MAX_ADDRESS_SEARCHES_PER_SECOND: "0" });
    expect((await flood(100, WRITE, { method: "POST" })).refused).toBe(0);
    expect((await flood(40, "/api/servers/search?q=a")).refused).toBe(0);
  });

  it("warn once about a proxy that is not trusted", async () => {
    const { log } = await start();
    for (let count = 0; count < 3; count++) await flood(1, "/api/servers", { headers: from("203.0.113.1") });
    const warnings = log.records().filter(({ variable }) => variable === "TRUST_PROXY");
    expect(warnings.map(({ msg }) => msg)).toEqual([expect.stringContaining("X-Forwarded-For")]);
    await world?.close();
    const second = await start({ TRUST_PROXY: "1" });
    await flood(1, "/api/servers", { headers: from("203.0.113.1") });
    expect(second.log.records().filter(({ variable }) => variable === "TRUST_PROXY")).toEqual([]);
  });
});
