import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { problemSchema } from "./openapi/problem.ts";
import { exchange, statusesOf } from "./testing/raw-client.ts";
import { createWorld } from "./testing/world.ts";
import type { Twin, World } from "./testing/world.ts";

const JSON_TYPE = { "content-type": "application/json" };
const GOOD = { username: "ada", password: "a long passphrase" };
const SERVER = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";

const head = (target: string, lines: readonly string[] = [], method = "GET"): string =>
  `${[`${method} ${target} HTTP/1.1`, "Host: hearth.test", "Connection: close", ...lines].join("\r\n")}\r\n\r\n`;

/** Bad inputs of the kind that others were broken with; each has the number of its case in the title. */
describe.each<Twin>(["local", "remote"])("bad input to %s services", (twin) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ twin, variables: { corsAllowlist: ["https://app.test"] } });
  });
  afterAll(() => world.close());

  const register = (
    body: string | Blob | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = JSON_TYPE,
  ): Promise<Response> => world.fetch("/api/users/register", { method: "POST", headers, body });
  const raw = (bytes: string): Promise<string> => exchange(world.port, bytes);
  const lastInput = () => world.calls.at(-1)?.input as { body: Record<string, unknown> };

  async function expectProblem(answer: Response, status: number): Promise<void> {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    problemSchema.parse(await answer.json());
  }

  const bodies: [string, number, string | Blob, Record<string, string>?][] = [
    ["R1 truncated JSON", 400, '{"username":"ada"'],
    ["R1 no JSON at all", 400, "username=ada"],
    ["R2 a number", 400, "5"],
    ["R2 text", 400, '"text"'],
    ["R2 null", 400, "null"],
    ["R2 an array", 400, "[]"],
    ["R3 text/plain", 415, JSON.stringify(GOOD), { "content-type": "text/plain" }],
    ["R3 no type", 415, new Blob([JSON.stringify(GOOD)]), {}],
    ["R3 a form", 415, "username=ada", { "content-type": "application/x-www-form-urlencoded" }],
    ["R4 koi8-r", 415, JSON.stringify(GOOD), { "content-type": "application/json; charset=koi8-r" }],
    ["R4 zstd", 415, JSON.stringify(GOOD), { ...JSON_TYPE, "content-encoding": "zstd" }],
    ["R6 60 KB of nested arrays", 400, "[".repeat(60_000)],
    ["R8 a password of 1 MB", 413, JSON.stringify({ ...GOOD, password: "x".repeat(1024 * 1024) })],
    ["R8 an empty password", 400, JSON.stringify({ ...GOOD, password: "" })],
    ["R8 a lone surrogate", 400, '{"username":"ada","password":"aaaaaaaa\\ud800"}'],
    ["R9 an operator for the username", 400, '{"username":{"$ne":null},"password":"a long passphrase"}'],
    ["R10 an operator for the password", 400, '{"username":"ada","password":{"$gt":""}}'],
    ["R11 an operator as a key", 400, '{"username[$regex]":".*","password":"a long passphrase"}'],
    ["R12 $where as a value", 400, '{"username":"$where","password":"a long passphrase"}'],
    ["R13 a field nobody knows", 400, JSON.stringify({ ...GOOD, role: "admin" })],
    ["R14 a prototype", 400, '{"username":"ada","password":"a long passphrase","__proto__":{"admin":true}}'],
    [
      "R14 a constructor",
      400,
      '{"username":"ada","password":"a long passphrase","constructor":{"prototype":{"admin":true}}}',
    ],
    ["R31 a name of 1 MB", 413, JSON.stringify({ ...GOOD, username: "x".repeat(1024 * 1024) })],
    ["R31 control characters", 400, JSON.stringify({ ...GOOD, username: "ad\u0000a" })],
    ["R31 a direction override", 400, JSON.stringify({ ...GOOD, username: "ad\u202ea" })],
    ["R31 spaces", 400, JSON.stringify({ ...GOOD, username: "ad a" })],
    ["R31 full-width letters", 400, JSON.stringify({ ...GOOD, username: "\uff21dmin" })],
  ];
  it.each(bodies.map(([title, status, body, headers]) => ({ title, status, body, headers })))(
    "GW7 $title is $status",
    async ({ status, body, headers }) => {
      const calls = world.calls.length;
      await expectProblem(await register(body, headers), status);
      expect(world.calls.length).toBe(calls);
      expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
    },
  );

  it("GW7 R5 a gzip bomb is 413", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "[1,"));
    expect(bomb.length).toBeLessThan(LIMITS.httpBodyBytes);
    await expectProblem(await register(bomb, { ...JSON_TYPE, "content-encoding": "gzip" }), 413);
  });

  it("GW7 a body of 256 KiB is read, and one byte more is 413 before it is", async () => {
    const fill = (size: number): string => {
      const text = JSON.stringify({ ...GOOD, deviceName: "" });
      return text.replace('""', `"${"x".repeat(size - text.length)}"`);
    };
    // Read, and then refused for what it says.
    expect((await register(fill(LIMITS.httpBodyBytes))).status).toBe(400);
    const announced = head("/api/users/login", [`Content-Length: ${LIMITS.httpBodyBytes + 1}`], "POST");
    const received = await raw(announced);
    expect(statusesOf(received)).toEqual([413]);
  });

  it("GW7 a body of unknown length is 413 as soon as it is too long", async () => {
    const size = LIMITS.httpBodyBytes + 1;
    const lines = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
    const received = await raw(
      `${head("/api/users/login", lines, "POST")}${size.toString(16)}\r\n${" ".repeat(size)}\r\n0\r\n\r\n`,
    );
    expect(statusesOf(received)).toEqual([413]);
  });

  it("R7 R8 passwords arrive as they were written, NUL and all", async () => {
    for (const password of ["aaaaaaaa\u0000b", "x".repeat(73), "\u00e9".repeat(37)]) {
      expect((await register(JSON.stringify({ ...GOOD, password }))).status).toBe(201);
      expect(lastInput().body["password"]).toBe(password);
    }
  });

  it("R15 of two equal keys the last one counts", async () => {
    await register('{"username":"first","username":"last","password":"a long passphrase"}');
    expect(lastInput().body["username"]).toBe("last");
  });

  describe("tokens", () => {
    const token = "0123456789abcdef".repeat(4);
    const asked = async (
      lines: readonly string[],
      target = "/api/users/me",
    ): Promise<[number | undefined, boolean, string]> => {
      const before = world.auth.asked.count;
      const received = await raw(head(target, lines));
      return [statusesOf(received)[0], world.auth.asked.count > before, received];
    };

    it.each<[string, readonly string[], number, boolean]>([
      ["R16 none", [], 401, false],
      ["R17 63 characters", [`Authorization: Bearer ${token.slice(1)}`], 401, false],
      ["R17 65 characters", [`Authorization: Bearer ${token}0`], 401, false],
      ["R17 not hexadecimal", [`Authorization: Bearer ${"z".repeat(64)}`], 401, false],
      ["R18 upper-case hexadecimal", [`Authorization: Bearer ${token.toUpperCase()}`], 401, false],
      ["R19 two headers", [`Authorization: Bearer ${token}`, `authorization: Bearer ${token}`], 400, false],
      ["R20 Basic", ["Authorization: Basic YTpi"], 401, false],
      ["R20 two spaces", [`Authorization: Bearer  ${token}`], 401, false],
      ["R21 unknown or expired", [`Authorization: Bearer ${token}`], 401, true],
      ["R2 a JWT of somebody's", ["Authorization: Bearer e30.e30.e30"], 401, false],
    ])("GW2 %s: auth is not asked without need", async (_case, lines, status, asks) => {
      const [answered, wasAsked] = await asked(lines);
      expect([answered, wasAsked]).toEqual([status, asks]);
    });

    it("R16 R17 the challenge names an error only for what was presented", async () => {
      expect((await asked([]))[2]).toMatch(/www-authenticate: Bearer\r\n/i);
      expect((await asked(["Authorization: Bearer x"]))[2]).toMatch(
        /www-authenticate: Bearer error="invalid_token"\r\n/i,
      );
    });

    it("R19 a token in the query is not looked at", async () => {
      const [status, wasAsked] = await asked([], `/api/users/me?token=${token}&access_token=${token}`);
      expect([status, wasAsked]).toEqual([401, false]);
    });

    it.each(["bearer", "BEARER"])("R20 the scheme may be written %s", async (scheme) => {
      const signedIn = world.auth.signIn();
      expect((await asked([`Authorization: ${scheme} ${signedIn.token}`]))[0]).toBe(200);
    });

    it("R22 R23 a revoked token is 401, the second time as well", async () => {
      const signedIn = world.auth.signIn();
      const logout = async (): Promise<number> => {
        const headers = { authorization: `Bearer ${signedIn.token}` };
        return (await world.fetch("/api/users/logout", { method: "POST", headers })).status;
      };
      expect(await logout()).toBe(204);
      await world.auth.end(signedIn);
      expect([await logout(), await logout()]).toEqual([401, 401]);
    });
  });

  describe("addresses", () => {
    it.each([
      "/api/servers/../users/me",
      "/api/servers/%2e%2e/users/me",
      "/api/servers/..%2fusers%2fme",
      "/api/servers/%00",
      "/api/servers/%E0%A4%A",
      "/api/servers/\\..\\users",
      "/api//users/me",
      "/API/USERS/ME",
      "/api/users/me/",
      "//api/users/me",
      "/%61pi/users/me",
      "/api/%75sers/me",
    ])("R25 R27 %s is 400 or 404 and never another route", async (target) => {
      const arrivals = world.arrivals.length;
      const received = await raw(head(target));
      expect([400, 404]).toContain(statusesOf(received)[0]);
      expect(received).toContain("application/problem+json");
      expect(world.arrivals.length).toBe(arrivals);
    });

    it("R27 an absolute target is routed by ourselves, whatever host it names", async () => {
      const received = await raw(head("http://evil.test/api/servers?limit=1"));
      expect(statusesOf(received)).toEqual([200]);
      expect(world.arrivals.at(-1)).toMatchObject({ service: "discovery", url: "/api/servers?limit=1" });
      expect(world.arrivals.at(-1)?.headers.host).toBe("hearth");
    });
  });

  describe("framing", () => {
    const post = "POST /api/users/login HTTP/1.1\r\n";
    const smuggled = "GET /api/servers HTTP/1.1\r\nHost: x\r\n\r\n";

    it.each<[string, number, string]>([
      [
        "R26 a length beside a transfer encoding",
        400,
        `${post}Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      ],
      [
        "R26 two lengths",
        400,
        `${post}Host: x\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\n${smuggled}`,
      ],
      [
        "R26 an unknown transfer encoding",
        400,
        `${post}Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      ],
      [
        "R26 a chunked body under another name",
        400,
        `${post}Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      ],
      ["R26 no Host", 400, `${post}\r\n`],
      ["R27 two Hosts", 400, "GET /api/servers HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n"],
      ["R28 20 KB of headers", 431, `${post}Host: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
      ["R28 TRACE", 405, head("/api/servers", [], "TRACE")],
      ["R28 CONNECT", 405, head("evil.test:80", [], "CONNECT")],
      ["R28 a method that Node knows and we do not", 405, head("/api/servers", [], "PROPFIND")],
      ["R28 a method that nobody knows", 405, head("/api/servers", [], "HACK")],
    ])("S4 %s is %i", async (_case, status, bytes) => {
      const arrivals = world.arrivals.length;
      const received = await raw(bytes);
      expect(statusesOf(received)[0]).toBe(status);
      expect(received).toContain("application/problem+json");
      expect(received).not.toContain("<html");
      expect(world.arrivals.length).toBe(arrivals);
    });

    it("R28 405 names the methods there are", async () => {
      expect(await raw(head("/api/servers", [], "PROPFIND"))).toMatch(/allow: GET, HEAD, POST/i);
    });

    it.each(["h2c", "tls/1.0", "websocket, h2c"])(
      "R30 Upgrade: %s on a REST path gets a plain answer",
      async (protocol) => {
        const lines = [`Upgrade: ${protocol}`, "HTTP2-Settings: AAMAAABkAAQAAP__"];
        const received = await raw(
          head("/api/servers", lines).replace("Connection: close", "Connection: Upgrade, close"),
        );
        expect([200, 400, 404]).toContain(statusesOf(received)[0]);
        expect(statusesOf(received)).toHaveLength(1);
      },
    );
  });

  it("GW2 S2 R29 no header that names an identity or an address reaches a service", async () => {
    const forged = {
      "x-user-id": "admin",
      "x-internal-user": "admin",
      "x-account": "admin",
      "x-forwarded-for": "6.6.6.6",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
      "x-real-ip": "6.6.6.6",
      "x-request-id": "theirs",
      forwarded: "for=6.6.6.6",
      cookie: "session=admin",
      authorization: "Bearer e30.e30.e30",
    };
    await world.fetch("/api/servers", { headers: forged });
    const { headers, rawHeaders } = world.arrivals.at(-1) ?? {};
    const seen = JSON.stringify([headers, rawHeaders]);
    for (const secret of ["admin", "6.6.6.6", "evil.test", "theirs", "e30"])
      expect(seen).not.toContain(secret);
    expect(headers?.["x-forwarded-for"]).toBe("127.0.0.1");
  });

  it("GW2 S2 a header that Connection nominates is no way around that", async () => {
    const id = world.auth.signIn();
    const lines = [`Authorization: Bearer ${id.token}`];
    const received = await raw(
      head("/api/users/me", lines).replace("close", "close, authorization, x-forwarded-for"),
    );
    expect(statusesOf(received)).toEqual([200]);
    expect(world.arrivals.at(-1)?.headers["x-forwarded-for"]).toBe("127.0.0.1");
  });

  it("GW4 a foreign origin gets an answer that its page may not read", async () => {
    const answer = await world.fetch("/api/servers", { headers: { origin: "https://evil.test" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  it("GW3 a private answer is not kept by caches", async () => {
    const { token } = world.auth.signIn();
    const answer = await world.fetch(`/api/servers/${SERVER}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("behind a proxy", () => {
  it("GW6 AU8 services are told the address that the trusted proxy names, and nothing to the left of it", async () => {
    const world = await createWorld({ env: { TRUST_PROXY: "loopback" } });
    await world.fetch("/api/servers", { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.7" } });
    expect(world.arrivals.at(-1)?.headers["x-forwarded-for"]).toBe("203.0.113.7");
    await world.close();
  });
});
