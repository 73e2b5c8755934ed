import type { Credential, ErrorCode, JoinedServer, Server, SessionInfo } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, createServer, expectOk, login, PASSWORD, register } from "../../src/client/index.ts";
import { authorization, JSON_TYPE, loginBody, registerBody, requestsTo } from "../../src/client/requests.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { metricsOf } from "../../src/server/metrics.ts";

const server = serverForTests({ isShared: false });
let ada: Credential;
let ben: Credential;
let room: JoinedServer;

beforeAll(async () => {
  [ada, ben] = await Promise.all([register(server.url, "ada"), register(server.url, "ben")]);
  room = await createServer(server.url, ada, { name: "The lighthouse" });
});

const { post, raw, request } = requestsTo(() => server.url);

describe("the acting user", () => {
  const forged = () => ({
    userId: ben.id,
    authUserId: ben.id,
    ownerId: ben.id,
    role: "owner",
    createdAt: 1,
    featured: true,
    memberCount: 1_000,
  });

  it("GW2 R13 the server ignores user ids and its own fields in a body", async () => {
    const body = { name: "Mine", ...forged() };
    const created = await expectOk<JoinedServer>(server.url, "POST", "/api/servers", {
      token: ada.token,
      body,
    });
    expect(created).toMatchObject({ ownerId: ada.id, featured: false, memberCount: 1 });
    expect(created.createdAt).toBeGreaterThan(1);
    const me = await expectOk(server.url, "PATCH", "/api/users/me", {
      token: ada.token,
      body: { displayName: "Ada", id: ben.id, ...forged() },
    });
    expect(me).toMatchObject({ id: ada.id, username: "ada" });
    const path = `/api/servers/${created.id}`;
    const edited = await expectOk<Server>(server.url, "PUT", path, {
      token: ada.token,
      body: { description: "still mine", ...forged() },
    });
    expect(edited).toMatchObject({ ownerId: ada.id, featured: false, description: "still mine" });
    const joined = await expectOk<JoinedServer>(server.url, "POST", `${path}/join`, {
      token: ben.token,
      body: { userId: ada.id, role: "owner" },
    });
    expect(joined).toMatchObject({ role: "member", ownerId: ada.id });
  });

  it("AU2 R13 registration refuses unknown fields", async () => {
    expectProblem(await post("/api/users/register", registerBody({ role: "admin" })), "INVALID_REQUEST");
    expectProblem(await post("/api/users/login", loginBody({ userId: ada.id })), "INVALID_REQUEST");
  });

  it("GW2 R14 prototype keys have no effect", async () => {
    const polluted =
      '"__proto__":{"visibility":"private","admin":true},"constructor":{"prototype":{"admin":true}}';
    const created = await call<JoinedServer>(server.url, "POST", "/api/servers", {
      token: ada.token,
      raw: `{"name":"Clean",${polluted}}`,
      headers: JSON_TYPE,
    });
    expect(created.status).toBe(201);
    expect(created.body.visibility).toBe("public");
    const plugin = `/api/servers/${created.body.id}/plugins/p1`;
    const put = await call(server.url, "PUT", plugin, {
      token: ada.token,
      raw: `{"version":"1","required":"optional","config":{${polluted},"theme":"dark"}}`,
      headers: JSON_TYPE,
    });
    expect(put).toMatchObject({ status: 200, body: { config: { theme: "dark" } } });
    const next = await createServer(server.url, ada, { name: "Next" });
    expect(next.visibility).toBe("public");
    expect(next).not.toHaveProperty("admin");
  });

  it("GW7 R15 the last of two equal keys counts, in every service", async () => {
    const created = await call<JoinedServer>(server.url, "POST", "/api/servers", {
      token: ada.token,
      raw: '{"name":"First","name":"Second","visibility":"private","visibility":"public"}',
      headers: JSON_TYPE,
    });
    expect(created.body).toMatchObject({ name: "Second", visibility: "public" });
    const stored = await expectOk(server.url, "GET", `/api/servers/${created.body.id}`);
    expect(stored).toMatchObject({ name: "Second", visibility: "public" });
  });

  it("AU7 R24 another user's device tokens are 403 for every method", async () => {
    const path = `/api/users/device-tokens/${ben.id}`;
    const body = { platform: "web", token: "push" };
    expectProblem(await call(server.url, "GET", path, { token: ada.token }), "FORBIDDEN");
    expectProblem(await call(server.url, "PUT", `${path}/phone`, { token: ada.token, body }), "FORBIDDEN");
    expectProblem(await call(server.url, "DELETE", `${path}/phone`, { token: ada.token }), "FORBIDDEN");
    await expectOk(server.url, "PUT", `/api/users/device-tokens/${ada.id}/phone`, { token: ada.token, body });
    const own = await expectOk(server.url, "GET", `/api/users/device-tokens/${ada.id}`, { token: ada.token });
    expect(own).toMatchObject([{ deviceId: "phone", platform: "web", token: "push" }]);
  });

  it("GW2 R29 S2 headers cannot forge an identity or an address", async () => {
    const headers = {
      "x-user-id": ben.id,
      "x-auth-user-id": ben.id,
      "x-internal-user": ben.id,
      "x-internal-token": "forged",
      "x-forwarded-for": "203.0.113.66",
      "x-forwarded-host": "evil.test",
      "x-real-ip": "203.0.113.66",
      forwarded: "for=203.0.113.66",
      "x-request-id": "chosen-by-the-client",
      x_user_id: ben.id,
    };
    const refused = expectProblem(
      await call(server.url, "GET", "/api/users/me", { headers }),
      "AUTH_REQUIRED",
    );
    expect(refused.requestId).not.toBe("chosen-by-the-client");
    const me = await call(server.url, "GET", "/api/users/me", { token: ada.token, headers });
    expect(me.body).toMatchObject({ id: ada.id });
    expect(me.headers.get("x-request-id")).not.toBe("chosen-by-the-client");
    const again = await expectOk<Credential>(server.url, "POST", "/api/users/login", {
      body: { username: "ada", password: PASSWORD },
      headers,
    });
    const sessions = await expectOk<SessionInfo[]>(server.url, "GET", "/api/users/sessions", {
      token: again.token,
    });
    expect(sessions.map(({ ip }) => ip)).toEqual(sessions.map(() => "127.0.0.1"));
  });
});

describe("tokens", () => {
  const get = (headers: Record<string, string>, path = "/api/users/me") =>
    call(server.url, "GET", path, { headers });

  it("ER4 R16 a request without a token is 401 with a bare challenge", async () => {
    expectProblem(await get({}), "AUTH_REQUIRED");
  });

  it("ER4 R17 R18 a malformed token is refused without asking auth", async () => {
    const asked = async () =>
      (await metricsOf(server)).sum("hearth_bus_request_duration_seconds_count", {
        subject: "auth.exchange",
      });
    const before = await asked();
    const { token } = ada;
    for (const wrong of [
      token.slice(1),
      `${token}0`,
      `${token.slice(1)}g`,
      token.toUpperCase(),
      `${token} ${token}`,
    ]) {
      const problem = expectProblem(await get({ authorization: `Bearer ${wrong}` }), "AUTH_INVALID");
      expect(problem.reason).toBe("unknown");
    }
    expect(await asked()).toBe(before);
    expect(
      expectProblem(await get({ authorization: `Bearer ${"0".repeat(64)}` }), "AUTH_INVALID").reason,
    ).toBe("unknown");
    expect(await asked()).toBe(before + 1);
  });

  it("ER3 R19 two Authorization headers are 400; a token in the query is ignored", async () => {
    const twice = [authorization(ada.token), authorization(ben.token)];
    expectProblem(await raw(request("GET", "/api/users/me", twice)), "INVALID_REQUEST");
    const { token } = ada;
    expectProblem(await get({}, `/api/users/me?token=${token}&access_token=${token}`), "AUTH_REQUIRED");
  });

  it("ER4 R20 the scheme is case-insensitive; other schemes are ignored", async () => {
    for (const scheme of ["bearer", "BEARER"]) {
      expect((await get({ authorization: `${scheme} ${ada.token}` })).status).toBe(200);
    }
    expectProblem(await get({ authorization: `Basic ${btoa("ada:secret")}` }), "AUTH_REQUIRED");
    expectProblem(await get({ authorization: `Bearer  ${ada.token}` }), "AUTH_INVALID");
  });

  it("AU1 R22 R23 logout revokes only the presented token; a second logout is 401", async () => {
    const [first, second] = [await login(server.url, "ada"), await login(server.url, "ada")];
    const logout = () => call(server.url, "POST", "/api/users/logout", { token: first.token });
    expect(await logout()).toMatchObject({ status: 204, body: null });
    expect(expectProblem(await logout(), "AUTH_INVALID").reason).toBe("revoked");
    expect(expectProblem(await get({ authorization: `Bearer ${first.token}` }), "AUTH_INVALID").reason).toBe(
      "revoked",
    );
    await expectOk(server.url, "GET", "/api/users/me", { token: second.token });
    await expectOk(server.url, "GET", "/api/users/me", { token: ada.token });
  });

  it("GW3 public routes ignore a bad token; the others refuse it", async () => {
    for (const token of ["f".repeat(64), "nonsense"]) {
      const headers = { authorization: `Bearer ${token}` };
      for (const path of [
        "/api/servers",
        `/api/servers/${room.id}`,
        `/api/servers/${room.id}/plugins`,
        "/api/health",
      ]) {
        expect((await get(headers, path)).status).toBe(200);
      }
      expectProblem(await get(headers, "/api/servers/mine"), "AUTH_INVALID");
    }
  });
});

describe("other users' data", () => {
  it("AU7 S11 an account's ids give another account access to nothing", async () => {
    const { token } = ben;
    const sessions = await expectOk<SessionInfo[]>(server.url, "GET", "/api/users/sessions", {
      token: ada.token,
    });
    const closed = await createServer(server.url, ada, { name: "Closed", visibility: "private" });
    const invite = await expectOk<{ code: string }>(server.url, "POST", `/api/servers/${closed.id}/invites`, {
      token: ada.token,
      body: {},
    });
    const open = `/api/servers/${room.id}`;
    const hidden = `/api/servers/${closed.id}`;
    const attempts: readonly (readonly [
      method: string,
      path: string,
      body: object | undefined,
      code: ErrorCode,
    ])[] = [
      ...sessions.map(({ id }) => ["DELETE", `/api/users/sessions/${id}`, undefined, "NOT_FOUND"] as const),
      ["PUT", open, { description: "taken over" }, "FORBIDDEN"],
      ["DELETE", open, undefined, "FORBIDDEN"],
      ["POST", `${open}/transfer`, { userId: ben.id }, "FORBIDDEN"],
      ["PUT", `${open}/members/${ben.id}`, { role: "moderator" }, "FORBIDDEN"],
      ["DELETE", `${open}/members/${ada.id}`, undefined, "FORBIDDEN"],
      ["GET", `${open}/members`, undefined, "FORBIDDEN"],
      ["GET", `${open}/bans`, undefined, "FORBIDDEN"],
      ["PUT", `${open}/bans/${ada.id}`, {}, "FORBIDDEN"],
      ["GET", `${open}/requests`, undefined, "FORBIDDEN"],
      ["PUT", `${open}/plugins/p`, { version: "1", required: "optional" }, "FORBIDDEN"],
      ["DELETE", `${open}/plugins/p`, undefined, "FORBIDDEN"],
      ["POST", `${open}/invites`, {}, "FORBIDDEN"],
      ["GET", hidden, undefined, "NOT_FOUND"],
      ["PUT", hidden, { description: "found" }, "NOT_FOUND"],
      ["DELETE", hidden, undefined, "NOT_FOUND"],
      ["GET", `${hidden}/members`, undefined, "NOT_FOUND"],
      ["GET", `${hidden}/plugins`, undefined, "NOT_FOUND"],
      ["POST", `${hidden}/join`, {}, "ACCESS_DENIED"],
      ["DELETE", `/api/invites/${invite.code}`, undefined, "NOT_FOUND"],
    ];
    for (const [method, path, body, code] of attempts) {
      const answer = await call(server.url, method, path, { token, ...(body && { body }) });
      expect([method, path, (answer.body as { code?: string } | null)?.code]).toEqual([method, path, code]);
      expectProblem(answer, code);
    }
    expect((await call(server.url, "GET", hidden, { token: ada.token })).status).toBe(200);
  });
});
