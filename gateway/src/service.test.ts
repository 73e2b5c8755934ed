import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { ProblemError, SERVICES, healthSchema } from "@hearth/contracts";
import { problemSchema } from "./openapi/problem.ts";
import { createWorld } from "./testing/world.ts";
import type { Twin, World, WorldOptions } from "./testing/world.ts";

const SERVER = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const claimsOf = (authorization = ""): Record<string, unknown> => {
  const [, claims = ""] = authorization.replace(/^Bearer /, "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
};

const open: World[] = [];
const world = async (options?: WorldOptions): Promise<World> => {
  const made = await createWorld(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

describe.each<Twin>(["local", "remote"])("the gateway before %s services", (twin) => {
  let shared: World;
  beforeAll(async () => {
    shared = await createWorld({ twin });
  });
  afterAll(() => shared.close());

  it.each([
    ["GET", "/api/users/me", "auth", "getAccount"],
    ["POST", "/api/users/login", "auth", "login"],
    ["GET", "/api/servers?limit=2", "discovery", "listServers"],
    ["GET", `/api/servers/${SERVER}/members`, "discovery", "listMembers"],
    ["PUT", `/api/requests/${SERVER}`, "discovery", "decideRequest"],
    ["GET", "/api/invites/q7Xk2mPa", "discovery", "getInvite"],
  ])("GW1 passes %s %s to %s", async (method, path, service, operationId) => {
    const bodies: Record<string, unknown> = {
      login: { username: "ada", password: "a long passphrase" },
      decideRequest: { status: "approved" },
    };
    const body = bodies[operationId];
    const { token } = shared.auth.signIn();
    const headers = { ...bearer(token), "content-type": "application/json" };
    const answer = await shared.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    expect(shared.arrivals.at(-1)).toMatchObject({ service, method, url: path });
    expect(shared.calls.at(-1)).toMatchObject({ operationId });
    expect(answer.headers.get("x-request-id")).toBe(shared.arrivals.at(-1)?.headers["x-request-id"]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("x-powered-by")).toBeNull();
  });

  it("GW2 forwards a JWT of 60 s instead of the token, and the actor is the token's user", async () => {
    const { token, session } = shared.auth.signIn();
    await shared.fetch("/api/users/me", { headers: bearer(token) });
    const headers = shared.arrivals.at(-1)?.headers;
    const jwt = claimsOf(headers?.authorization);
    expect(jwt).toMatchObject({ sub: session.userId, sid: session.sessionId });
    expect(Number(jwt["exp"]) * 1000 - shared.clock.now()).toBeLessThanOrEqual(60_000);
    expect(JSON.stringify(headers)).not.toContain(token);
    const { actor } = shared.calls.at(-1)?.input as { actor: unknown };
    expect(actor).toMatchObject({ userId: session.userId, sessionId: session.sessionId });
  });

  it("GW2 asks auth once for many requests of one token", async () => {
    const { token } = shared.auth.signIn();
    const before = shared.auth.asked.count;
    const ask = (): Promise<Response> => shared.fetch("/api/users/me", { headers: bearer(token) });
    await Promise.all(Array.from({ length: 10 }, ask));
    expect((await ask()).status).toBe(200);
    expect(shared.auth.asked.count).toBe(before + 1);
  });

  it("AU6 refuses a revoked token, and no other token of the account", async () => {
    const [one, sibling] = [shared.auth.signIn(), shared.auth.signIn()];
    const status = async (token: string) =>
      (await shared.fetch("/api/users/me", { headers: bearer(token) })).status;
    expect([await status(one.token), await status(sibling.token)]).toEqual([200, 200]);
    await shared.auth.end(one);
    expect([await status(one.token), await status(sibling.token)]).toEqual([401, 200]);
  });

  it("GW2 ignores user ids in a body", async () => {
    const { token, session } = shared.auth.signIn();
    const body = {
      name: "The lighthouse",
      ownerId: SERVER,
      userId: SERVER,
      authUserId: SERVER,
      createdAt: 0,
      role: "owner",
    };
    const headers = { ...bearer(token), "content-type": "application/json" };
    await shared.fetch("/api/servers", { method: "POST", headers, body: JSON.stringify(body) });
    const input = shared.calls.at(-1)?.input as { actor: { userId: string }; body: object };
    expect(input.actor.userId).toBe(session.userId);
    expect(Object.keys(input.body).toSorted()).toEqual([
      "description",
      "iconHash",
      "name",
      "tags",
      "visibility",
    ]);
  });

  it("GW3 serves public GETs without a token, and ignores one", async () => {
    const before = shared.auth.asked.count;
    expect((await shared.fetch("/api/servers")).status).toBe(200);
    expect((await shared.fetch("/api/servers", { headers: bearer("nonsense") })).status).toBe(200);
    expect((await shared.fetch("/api/servers", { headers: bearer("a".repeat(64)) })).status).toBe(200);
    expect(shared.auth.asked.count).toBe(before);
  });

  it("GW3 uses a good token on a route where it is optional, and ignores a bad one", async () => {
    const actorWith = async (headers?: Record<string, string>): Promise<unknown> => {
      expect((await shared.fetch(`/api/servers/${SERVER}`, headers && { headers })).status).toBe(200);
      return (shared.calls.at(-1)?.input as { actor: { userId: string } | null }).actor?.userId;
    };
    const { token, session } = shared.auth.signIn();
    expect(await actorWith(bearer(token))).toBe(session.userId);
    expect(await actorWith(bearer("a".repeat(64)))).toBeUndefined();
    expect(await actorWith(bearer("nonsense"))).toBeUndefined();
    expect(await actorWith()).toBeUndefined();
  });

  it("ER1 sends its own errors and those of services in one shape", async () => {
    for (const path of ["/api/nothing", "/api/servers/not-a-uuid", "/api/users/me", "/nothing"]) {
      const answer = await shared.fetch(path);
      expect([path, answer.headers.get("content-type")]).toEqual([path, "application/problem+json"]);
      const problem = problemSchema.parse(await answer.json());
      expect(problem.status).toBe(answer.status);
      expect(problem.requestId).toBe(answer.headers.get("x-request-id"));
    }
  });

  it("ER4 challenges with an error only when a token was presented", async () => {
    const challenge = async (headers: Record<string, string>) => {
      const answer = await shared.fetch("/api/users/me", { headers });
      expect(answer.status).toBe(401);
      return answer.headers.get("www-authenticate");
    };
    expect(await challenge({})).toBe("Bearer");
    expect(await challenge(bearer("a".repeat(64)))).toBe('Bearer error="invalid_token"');
  });

  it("GW1 knows only the routes of the contracts, and lists the methods of each", async () => {
    expect((await shared.fetch("/api/users/unknown")).status).toBe(404);
    const wrong = await shared.fetch("/api/users/login", { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const options = await shared.fetch("/api/servers", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "HEAD, GET, POST, OPTIONS"]);
    const head = await shared.fetch("/api/servers", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("GW4 S12 answers a preflight itself, and marks answers, errors included", async () => {
    const origin = "https://any.test";
    const before = shared.arrivals.length;
    const preflight = await shared.fetch("/api/users/me", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(shared.arrivals.length).toBe(before);
    for (const path of ["/api/servers", "/api/users/me", "/api/nothing"]) {
      const answer = await shared.fetch(path, { headers: { origin } });
      expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("I13 S9 writes no token into a log line or a metric", async () => {
    const { token } = shared.auth.signIn();
    for (const path of ["/api/users/me", `/api/users/me?token=${token}`, `/api/servers/${token}`]) {
      await shared.fetch(path, { headers: bearer(token) });
    }
    expect(shared.log.lines.join("")).not.toContain(token);
    expect(await shared.metrics.text()).not.toContain(token);
  });

  it("counts forwarded requests by service and status", async () => {
    await shared.fetch("/api/servers");
    const text = await shared.metrics.text();
    expect(text).toMatch(/hearth_gateway_requests_total\{upstream="discovery",status="200"\} [1-9]/);
    expect(text).toMatch(/hearth_gateway_identity_lookups_total\{outcome="hit"\} [1-9]/);
  });
});

describe("trouble behind the gateway", () => {
  it.each(["UNAVAILABLE", "TIMEOUT"] as const)(
    "ER6 I5 %s of auth is never 401, and a public route goes on",
    async (code) => {
      const { auth, fetch } = await world();
      auth.exchange = async () => {
        throw new ProblemError(code);
      };
      const status = async (path: string): Promise<number> =>
        (await fetch(path, { headers: bearer("a".repeat(64)) })).status;
      const expected = code === "TIMEOUT" ? 504 : 503;
      expect(await status("/api/users/me")).toBe(expected);
      expect(await status("/api/servers")).toBe(200);
      // A stranger might be told that their own private server does not exist.
      expect(await status(`/api/servers/${SERVER}`)).toBe(expected);
    },
  );

  it("ER6 is 503 when auth does not answer", async () => {
    const { bus, fetch } = await world();
    await bus.close();
    const answer = await fetch("/api/users/me", { headers: bearer("a".repeat(64)) });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "UNAVAILABLE" }]);
  });

  it("GW5 is 503 for a service that is not ready, and serves the others", async () => {
    const { services, fetch } = await world();
    services.discovery.setReady(false);
    const answer = await fetch("/api/servers");
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "UNAVAILABLE" }]);
    const login = JSON.stringify({ username: "ada", password: "a long passphrase" });
    const headers = { "content-type": "application/json" };
    expect((await fetch("/api/users/login", { method: "POST", headers, body: login })).status).toBe(200);
  });

  it("is 503 once the gateway has stopped", async () => {
    const { gateway, auth, fetch } = await world();
    const { token } = auth.signIn();
    await fetch("/api/users/me", { headers: bearer(token) });
    await gateway.stop();
    expect(gateway.ready()).toBe(false);
    expect((await fetch("/api/users/me", { headers: bearer(token) })).status).toBe(503);
  });
});

describe("GET /api/health", () => {
  it("GW1 shows the version and the state of each service", async () => {
    const { fetch, gateway } = await world();
    expect(gateway.ready()).toBe(true);
    const answer = await fetch("/api/health");
    const health = healthSchema.parse(await answer.json());
    expect(health.status).toBe("ok");
    expect(health.services).toEqual(Object.fromEntries(SERVICES.map((name) => [name, "ready"])));
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("GW1 is 200 and degraded while a service is not ready or does not answer", async () => {
    const { fetch } = await world({
      health: { presence: async () => ({ ready: false }), sync: () => new Promise(() => undefined) },
    });
    const answer = await fetch("/api/health");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: "degraded",
      services: { auth: "ready", presence: "not_ready", sync: "unreachable" },
    });
  });
});

describe("the start", () => {
  it("GW4 warns when every origin may call, and about unknown variables", async () => {
    const { log } = await world({ variables: { corsAllowList: [] } });
    const warnings = log.records().filter(({ level }) => level === 40);
    expect(warnings.map(({ variable }) => variable)).toEqual(["corsAllowList", "CORS_ALLOWLIST"]);
  });

  it("GW4 does not warn when origins are listed, and lets only those call", async () => {
    const { log, fetch } = await world({ variables: { corsAllowlist: ["https://app.test"] } });
    expect(log.records().filter(({ level }) => level === 40)).toEqual([]);
    const allowed = async (origin: string) =>
      (await fetch("/api/servers", { headers: { origin } })).headers.get("access-control-allow-origin");
    expect(await allowed("https://app.test")).toBe("https://app.test");
    expect(await allowed("https://evil.test")).toBeNull();
  });
});
