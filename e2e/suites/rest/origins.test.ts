import type { Credential, JoinedServer } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  call,
  createServer,
  dialPlain,
  expectOk,
  PASSWORD,
  register,
  requestText,
  sendRaw,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();
let ada: Credential;
let room: JoinedServer;

beforeAll(async () => {
  ada = await register(server.url, "ada");
  room = await createServer(server.url, ada, { name: "The lighthouse" });
});

describe("origins and proxies", () => {
  const APP = "https://app.test";
  const EVIL = [
    "https://evil.test",
    "https://app.test.evil.test",
    "http://app.test",
    "https://app.test:8443",
    "null",
  ];
  const guarded = serverForTests({
    env: {
      CORS_ALLOWLIST: ` ${APP}/, https://other.test:443 `,
      TRUST_PROXY: "1",
      MAX_SOCKETS_PER_ADDRESS: "3",
    },
  });
  let guest: Credential;

  beforeAll(async () => {
    guest = await register(guarded.url);
  });

  const preflight = {
    "access-control-request-method": "PUT",
    "access-control-request-headers": "authorization",
  };
  const corsOf = async (url: string, method: string, headers: Record<string, string>) => {
    const answer = await fetch(new URL("/api/servers", url), { method, headers });
    return Object.fromEntries(
      ["origin", "credentials", "methods", "headers"].map((name) => [
        name,
        answer.headers.get(`access-control-allow-${name}`),
      ]),
    );
  };

  it("GW4 S12 without an allowlist every origin may call, without credentials, and the start logs it", async () => {
    for (const origin of [APP, "null"]) {
      expect(await corsOf(server.url, "GET", { origin })).toMatchObject({ origin: "*", credentials: null });
    }
    const answered = await corsOf(server.url, "OPTIONS", { origin: APP, ...preflight });
    expect(answered).toMatchObject({ origin: "*", credentials: null });
    expect(answered["methods"]).toContain("PUT");
    expect(answered["headers"]?.toLowerCase()).toContain("authorization");
    expect(server.output()).toContain("CORS_ALLOWLIST");
    expect(guarded.output()).not.toContain("CORS_ALLOWLIST");
  });

  it("GW4 S12 C5 with an allowlist only its origins may call, even when written with blanks and slashes", async () => {
    for (const origin of [APP, "https://other.test"]) {
      expect(await corsOf(guarded.url, "GET", { origin })).toMatchObject({ origin });
      expect(await corsOf(guarded.url, "OPTIONS", { origin, ...preflight })).toMatchObject({ origin });
    }
    for (const origin of EVIL) {
      expect(await corsOf(guarded.url, "GET", { origin })).toMatchObject({ origin: null });
      expect(await corsOf(guarded.url, "OPTIONS", { origin, ...preflight })).toMatchObject({ origin: null });
    }
  });

  it("GW4 errors have CORS headers, so that a page can read them", async () => {
    const answer = await call(guarded.url, "GET", "/api/users/me", { headers: { origin: APP } });
    expectProblem(answer, "AUTH_REQUIRED");
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
    expect(answer.headers.get("access-control-expose-headers")?.toLowerCase()).toContain("x-request-id");
  });

  const upgrade = (url: string, path: string, headers: readonly string[]) =>
    sendRaw(
      url,
      requestText(url, "GET", path, [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      ]),
    );
  const SOCKETS = ["/ws", "/", "/socket.io/?EIO=4&transport=websocket"];

  it.each(SOCKETS)(
    "GW4 GW6 W24 the allowlist applies to upgrades of %s; a client without an origin may connect",
    async (path) => {
      for (const origin of EVIL) {
        const refused = await upgrade(guarded.url, path, [`Origin: ${origin}`]);
        expectProblem(refused, "FORBIDDEN");
      }
      expect((await upgrade(guarded.url, path, [`Origin: ${APP}`])).status).toBe(101);
      expect((await upgrade(guarded.url, path, [])).status).toBe(101);
      expect((await upgrade(server.url, path, ["Origin: https://evil.test"])).status).toBe(101);
    },
  );

  it("GW6 S2 no header authenticates an upgrade: the socket still has to identify", async () => {
    const socket = await dialPlain(server.url, {
      headers: {
        authorization: `Bearer ${ada.token}`,
        "x-user-id": ada.id,
        "x-auth-user-id": ada.id,
        "x-internal-user": ada.id,
        cookie: `token=${ada.token}`,
      },
    });
    const answer = await socket.ask({ type: "join_server", serverId: room.id });
    expect(answer).toMatchObject({ type: "auth_required", code: "AUTH_REQUIRED", reason: "missing" });
    await socket.close();
  });

  it("GW6 AU8 sockets count for the address that the last trusted proxy reports, whatever precedes it", async () => {
    const forwarded = (left: string, right: string) => ({
      headers: { "x-forwarded-for": `${left}, ${right}` },
    });
    const open = [];
    for (const left of ["1.1.1.1", "2.2.2.2", "unknown"])
      open.push(await dialPlain(guarded.url, forwarded(left, "198.51.100.9")));
    const key = (right: string) => upgrade(guarded.url, "/ws", [`X-Forwarded-For: 4.4.4.4, ${right}`]);
    const refused = await key("::ffff:198.51.100.9");
    expect({ status: refused.status, code: refused.body["code"] }).toEqual({
      status: 429,
      code: "RATE_LIMITED",
    });
    expect(refused.headers["retry-after"]).toMatch(/^[1-9]/);
    expect((await key("198.51.100.10")).status).toBe(101);
    for (const socket of open) await socket.close();
  });

  const taken = (url: string, username: string, forwardedFor: string) =>
    call(url, "POST", "/api/users/register", {
      body: { username, password: PASSWORD },
      headers: { "x-forwarded-for": forwardedFor },
    });
  /** Taken names are refused without hashing, so these are cheap, and count like any other. */
  const statuses = async (url: string, username: string, addresses: readonly string[]) =>
    (await Promise.all(addresses.map((address) => taken(url, username, address)))).map(
      ({ status }) => status,
    );
  const count = (list: readonly number[], status: number) => list.filter((each) => each === status).length;

  it("AU8 S6 behind a trusted proxy each client has its own limit; forged hops, mapped and neighbouring addresses do not evade it", async () => {
    const spellings = (n: number) => [
      `9.9.9.${n}, 203.0.113.7`,
      `10.0.0.${n}, 8.8.8.8, ::ffff:203.0.113.7`,
      `evil, 203.0.113.7:${1000 + n}`,
    ];
    const first = Array.from({ length: 50 }, (_, n) => spellings(n))
      .flat()
      .slice(0, 120);
    const list = await statuses(guarded.url, guest.username, first);
    expect([count(list, 409), count(list, 429)]).toEqual([100, 20]);
    expect((await taken(guarded.url, guest.username, "203.0.113.8")).status).toBe(409);
    const block = Array.from({ length: 110 }, (_, n) => `2001:db8:1:2::${n.toString(16)}`);
    const blocked = await statuses(guarded.url, guest.username, block);
    expect([count(blocked, 409), count(blocked, 429)]).toEqual([100, 10]);
    expect((await taken(guarded.url, guest.username, "2001:db8:1:3::1")).status).toBe(409);
  });

  it("AU8 S6 without a trusted proxy x-forwarded-for is ignored (the last test: it uses up this address)", async () => {
    const rotating = Array.from({ length: 120 }, (_, n) => `203.0.113.${n}`);
    const list = await statuses(server.url, "ada", rotating);
    expect(count(list, 429)).toBeGreaterThanOrEqual(20);
    const refused = await taken(server.url, "ada", "198.51.100.1");
    const problem = expectProblem(refused, "RATE_LIMITED");
    expect(problem.requestId).toMatch(/\S/);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(15 * 60);
    expect(refused.headers.get("ratelimit-policy")).toBe('"auth-attempts";q=100;w=900');
    await expectOk(server.url, "GET", "/api/users/me", { token: ada.token });
  });
});
