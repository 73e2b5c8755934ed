import { gzipSync } from "node:zlib";
import type { Credential, ErrorCode, JoinedServer, Server, SessionInfo } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type CallOptions,
  call,
  createServer,
  dialPlain,
  expectOk,
  freshName,
  login,
  PASSWORD,
  register,
  requestText,
  sendRaw,
} from "../src/client/index.ts";
import { expectProblem } from "../src/expectations/problem.ts";
import { metricsOf } from "../src/server/metrics.ts";
import { type RunningServer, startServer } from "../src/server/process.ts";

const JSON_TYPE = { "content-type": "application/json" };
const json = (raw: string): CallOptions => ({ raw, headers: JSON_TYPE });
const bodyOf = (value: unknown): CallOptions => ({ body: value });
const loginBody = (fields: object): CallOptions =>
  bodyOf({ username: "somebody", password: PASSWORD, ...fields });
const registerBody = (fields: object): CallOptions =>
  bodyOf({ username: freshName(), password: PASSWORD, ...fields });

let server: RunningServer;
let ada: Credential;
let ben: Credential;
let room: JoinedServer;

beforeAll(async () => {
  server = await startServer();
  [ada, ben] = await Promise.all([register(server.url, "ada"), register(server.url, "ben")]);
  room = await createServer(server.url, ada, { name: "The lighthouse" });
}, 30_000);

afterAll(async () => {
  await server.stop();
  await server.cleanUp();
});

const post = (path: string, options: CallOptions) => call(server.url, "POST", path, options);
const raw = (text: string) => sendRaw(server.url, text);
const request = (...args: Parameters<typeof requestText> extends [string, ...infer Rest] ? Rest : never) =>
  requestText(server.url, ...args);
const authorization = (token: string): string => `Authorization: Bearer ${token}`;

describe("bodies", () => {
  const bomb = (): CallOptions => ({
    raw: new Uint8Array(gzipSync(Buffer.alloc(20 * 1024 * 1024, " "))),
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
  });
  const deep = "[".repeat(30_000);
  const cases: readonly (readonly [title: string, code: ErrorCode, options: () => CallOptions])[] = [
    ["GW7 R1 truncated JSON", "INVALID_REQUEST", () => json('{"username":')],
    ["GW7 R1 JSON with something behind it", "INVALID_REQUEST", () => json("{} {}")],
    [
      "GW7 R1 JSON that is not UTF-8",
      "INVALID_REQUEST",
      () => ({ raw: new Uint8Array([123, 34, 255, 34]), headers: JSON_TYPE }),
    ],
    ...["5", '"x"', "null", "true", "[]", '[{"username":"ada"}]'].map(
      (text) => [`GW7 R2 the body ${text}`, "INVALID_REQUEST", () => json(text)] as const,
    ),
    [
      "GW7 R3 text/plain",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({ raw: "{}", headers: { "content-type": "text/plain" } }),
    ],
    [
      "GW7 R3 multipart",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({ raw: "{}", headers: { "content-type": "multipart/form-data; boundary=x" } }),
    ],
    [
      "GW7 R4 charset koi8-r",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({ raw: "{}", headers: { "content-type": "application/json; charset=koi8-r" } }),
    ],
    [
      "GW7 R4 encoding zstd",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({ raw: "{}", headers: { ...JSON_TYPE, "content-encoding": "zstd" } }),
    ],
    [
      "GW7 R4 what is not what its encoding says",
      "INVALID_REQUEST",
      () => ({ raw: "{}", headers: { ...JSON_TYPE, "content-encoding": "gzip" } }),
    ],
    ["GW7 R5 a gzip bomb of 20 MB", "PAYLOAD_TOO_LARGE", bomb],
    ["GW7 R5 a body past 256 KiB", "PAYLOAD_TOO_LARGE", () => bodyOf({ username: "x".repeat(256 * 1024) })],
    [
      "GW7 R6 60 KB of brackets",
      "INVALID_REQUEST",
      () => json(`{"username":${deep}${deep.replaceAll("[", "]")}}`),
    ],
    ["GW7 R6 60 KB of brackets that never close", "INVALID_REQUEST", () => json(`{"username":${deep}`)],
    [
      "AU2 R8 a password of 1 MB",
      "PAYLOAD_TOO_LARGE",
      () => loginBody({ password: "x".repeat(1024 * 1024) }),
    ],
    ["AU2 R8 an empty password", "INVALID_REQUEST", () => loginBody({ password: "" })],
    [
      "AU2 R8 half of a surrogate pair",
      "INVALID_REQUEST",
      () => json('{"username":"ada","password":"\\ud83dxxxxxxx"}'),
    ],
    ["AU2 R9 an operator for a name", "INVALID_REQUEST", () => loginBody({ username: { $ne: null } })],
    ["AU2 R10 an operator for a password", "INVALID_REQUEST", () => loginBody({ password: { $gt: "" } })],
    [
      "AU2 R11 an operator in a form",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({
        raw: "username[$regex]=.*&password=x",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    ],
    [
      "AU2 R11 an operator as a key",
      "INVALID_REQUEST",
      () => bodyOf({ "username[$regex]": ".*", password: PASSWORD }),
    ],
    ["AU2 R12 $where", "INVALID_REQUEST", () => loginBody({ username: { $where: "sleep(1000)" } })],
    ["AU2 R12 a key that is a path", "INVALID_REQUEST", () => loginBody({ "a.b": 1 })],
    [
      "AU2 R12 $in with 10,000 entries",
      "INVALID_REQUEST",
      () => loginBody({ username: { $in: Array.from({ length: 10_000 }, (_, i) => `u${i}`) } }),
    ],
    [
      "AU2 R14 __proto__",
      "INVALID_REQUEST",
      () => json(`{"username":"ada","password":"${PASSWORD}","__proto__":{"admin":true}}`),
    ],
    [
      "AU2 R14 constructor.prototype",
      "INVALID_REQUEST",
      () => loginBody({ constructor: { prototype: { admin: true } } }),
    ],
  ];

  it.each(cases)("%s is refused: %s", async (_title, code, options) => {
    expectProblem(await post("/api/users/login", options()), code);
  });

  it("GW7 R3 a body without a type is 415", async () => {
    expectProblem(await raw(request("POST", "/api/users/login", [], "{}")), "UNSUPPORTED_MEDIA_TYPE");
  });

  it("GW7 R5 a body that never ends is 413, however it is sent", async () => {
    const head = request("POST", "/api/users/login", [
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ]);
    const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`;
    expectProblem(await raw(head + chunk.repeat(9)), "PAYLOAD_TOO_LARGE");
  });

  it("GW7 a body of exactly 256 KiB is read", async () => {
    const frame = JSON.stringify({ username: "", password: PASSWORD }).length;
    const body = { username: "x".repeat(256 * 1024 - frame), password: PASSWORD };
    expectProblem(await post("/api/users/login", { body }), "INVALID_REQUEST");
  });

  it("GW7 R5 the server is as well as before after all of that", async () => {
    const health = await expectOk<{ status: string }>(server.url, "GET", "/api/health");
    expect(health.status).toBe("ok");
  });
});

describe("names and passwords", () => {
  it.each([
    ["of 73 bytes", "a".repeat(73), "a".repeat(72)],
    ["of 37 é", "é".repeat(37), "é".repeat(36)],
    ["with a NUL in it", "abcdefgh\u0000ijkl", "abcdefgh"],
  ])(
    "AU3 R7 R8 a password %s counts whole: its beginning does not open the account",
    async (_title, password, prefix) => {
      const username = freshName("long");
      await expectOk(server.url, "POST", "/api/users/register", { body: { username, password } });
      expectProblem(
        await post("/api/users/login", loginBody({ username, password: prefix })),
        "INVALID_CREDENTIALS",
      );
      expectProblem(
        await post("/api/users/login", loginBody({ username, password: `${prefix}zzz` })),
        "INVALID_CREDENTIALS",
      );
      await expectOk(server.url, "POST", "/api/users/login", { body: { username, password } });
    },
  );

  it.each([
    ["with a control character", "ad\u0007a"],
    ["with a right-to-left mark", "ada\u200f"],
    ["with an override", "\u202eada"],
    ["with a space", "ad a"],
    ["that is too short", "ad"],
    ["that is too long", "a".repeat(65)],
    ["in full width", "ＡＤＡ"],
    ["with a line break", "ada\r\nx"],
    ["that is an operator", "$where"],
    ["with a slash", "../ada"],
  ])("AU2 R31 a username %s is refused", async (_title, username) => {
    const problem = expectProblem(
      await post("/api/users/register", registerBody({ username })),
      "INVALID_REQUEST",
    );
    expect(problem.errors?.map(({ path }) => path)).toContain("username");
  });

  it("AU2 R31 a username of 1 MB is 413", async () => {
    const options = registerBody({ username: "x".repeat(1024 * 1024) });
    expectProblem(await post("/api/users/register", options), "PAYLOAD_TOO_LARGE");
  });

  it.each(["ada", "Ada", "ADA"])("AU2 R31 R32 %s is taken", async (username) => {
    expectProblem(await post("/api/users/register", registerBody({ username })), "USERNAME_TAKEN");
  });

  it("AU3 S5 an unknown user and a wrong password are answered alike to the last header", async () => {
    const seen = async (username: string) => {
      const { status, headers, body } = await post(
        "/api/users/login",
        bodyOf({ username, password: "a good guess" }),
      );
      const { requestId, ...problem } = body as Record<string, unknown>;
      expect(requestId).toMatch(/\S/);
      const changing = ["date", "x-request-id", "ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset"];
      return { status, problem, headers: [...headers].filter(([name]) => !changing.includes(name)) };
    };
    const wrong = await seen("ada");
    expect(wrong).toMatchObject({ status: 401, problem: { code: "INVALID_CREDENTIALS" } });
    expect(await seen("nobody-of-this-name")).toEqual(wrong);
    expect(await seen("no name\u0000at all")).toEqual(wrong);
  });

  it("ER1 every invalid field is named at once", async () => {
    const options = bodyOf({ username: "x", password: "short", displayName: "\u0000" });
    const problem = expectProblem(await post("/api/users/register", options), "INVALID_REQUEST");
    expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual([
      "displayName",
      "password",
      "username",
    ]);
  });
});

describe("who acts", () => {
  const forged = () => ({
    userId: ben.id,
    authUserId: ben.id,
    ownerId: ben.id,
    role: "owner",
    createdAt: 1,
    featured: true,
    memberCount: 1_000,
  });

  it("GW2 R13 actor ids and fields of the server's own in a body are ignored", async () => {
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

  it("AU2 R13 where unknown fields are refused, they are", async () => {
    expectProblem(await post("/api/users/register", registerBody({ role: "admin" })), "INVALID_REQUEST");
    expectProblem(await post("/api/users/login", loginBody({ userId: ada.id })), "INVALID_REQUEST");
  });

  it("GW2 R14 prototype keys reach nothing", async () => {
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

  it("GW7 R15 of two keys of one name the last one counts, everywhere", async () => {
    const created = await call<JoinedServer>(server.url, "POST", "/api/servers", {
      token: ada.token,
      raw: '{"name":"First","name":"Second","visibility":"private","visibility":"public"}',
      headers: JSON_TYPE,
    });
    expect(created.body).toMatchObject({ name: "Second", visibility: "public" });
    const stored = await expectOk(server.url, "GET", `/api/servers/${created.body.id}`);
    expect(stored).toMatchObject({ name: "Second", visibility: "public" });
  });

  it("AU7 R24 another user's device tokens are 403, whatever the method", async () => {
    const path = `/api/users/device-tokens/${ben.id}`;
    const body = { platform: "web", token: "push" };
    expectProblem(await call(server.url, "GET", path, { token: ada.token }), "FORBIDDEN");
    expectProblem(await call(server.url, "PUT", `${path}/phone`, { token: ada.token, body }), "FORBIDDEN");
    expectProblem(await call(server.url, "DELETE", `${path}/phone`, { token: ada.token }), "FORBIDDEN");
    await expectOk(server.url, "PUT", `/api/users/device-tokens/${ada.id}/phone`, { token: ada.token, body });
    const own = await expectOk(server.url, "GET", `/api/users/device-tokens/${ada.id}`, { token: ada.token });
    expect(own).toMatchObject([{ deviceId: "phone", platform: "web", token: "push" }]);
  });

  it("GW2 R29 S2 headers that name an identity or an address change neither", async () => {
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

  it("ER4 R16 no token is 401 with a bare challenge", async () => {
    expectProblem(await get({}), "AUTH_REQUIRED");
  });

  it("ER4 R17 R18 what cannot be a token is refused without asking anybody", async () => {
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

  it("ER3 R19 two Authorization headers are 400; a token in the query counts for nothing", async () => {
    const twice = [authorization(ada.token), authorization(ben.token)];
    expectProblem(await raw(request("GET", "/api/users/me", twice)), "INVALID_REQUEST");
    const { token } = ada;
    expectProblem(await get({}, `/api/users/me?token=${token}&access_token=${token}`), "AUTH_REQUIRED");
  });

  it("ER4 R20 the scheme is read without regard to case; another scheme presents nothing", async () => {
    for (const scheme of ["bearer", "BEARER"]) {
      expect((await get({ authorization: `${scheme} ${ada.token}` })).status).toBe(200);
    }
    expectProblem(await get({ authorization: `Basic ${btoa("ada:secret")}` }), "AUTH_REQUIRED");
    expectProblem(await get({ authorization: `Bearer  ${ada.token}` }), "AUTH_INVALID");
  });

  it("AU1 R22 R23 logout revokes the presented token and no other; the second time it is 401", async () => {
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

  it("GW3 public routes do not mind a bad token, those that need one do", async () => {
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

describe("targets, methods and heads", () => {
  const asAda = (target: string, method = "GET") => raw(request(method, target, [authorization(ada.token)]));

  it.each([
    "/api/servers/../users/me",
    "/api/servers/./mine",
    "/api/servers/%2e%2e/users/me",
    "/api/servers/..%2fusers%2fme",
    "/api/users%2fme",
    "/api/servers/%00",
    "/api/servers/%E0%A4%A",
    "/api/servers/..\\users\\me",
    "/api/servers/%5c..%5cusers",
  ])("GW1 R25 %s is 400 and never another route", async (target) => {
    expectProblem(await asAda(target), "INVALID_REQUEST");
  });

  it.each([
    "//evil.test/api/users/me",
    "/api//users/me",
    "/api/users/me/",
    "/API/users/me",
    "/api/nothing",
    "/nothing",
  ])("GW1 R25 R27 %s is 404", async (target) => {
    expectProblem(await asAda(target), "NOT_FOUND");
  });

  it("GW1 R27 an absolute target is our own route, whatever host it names", async () => {
    const answer = await asAda("http://evil.test/api/users/me");
    expect(answer).toMatchObject({ status: 200, body: { id: ada.id } });
  });

  const smuggled = "0\r\n\r\nGET /api/health HTTP/1.1\r\nHost: x\r\n\r\n";
  it.each([
    ["a length and a transfer encoding", ["Content-Length: 5", "Transfer-Encoding: chunked"], smuggled],
    ["two lengths", ["Content-Length: 2", "Content-Length: 3"], "{}"],
    ["a length that is none", ["Content-Length: 2x"], "{}"],
    ["an unknown transfer encoding", ["Transfer-Encoding: xchunked"], smuggled],
    ["two transfer encodings", ["Transfer-Encoding: chunked, identity"], smuggled],
    ["two hosts", ["Host: a", "Host: b"], ""],
    ["a folded header", ["X-Long: a", " b"], ""],
    ["a bare line feed", ["X-A: b\nX-C: d"], ""],
  ])(
    "GW1 R26 R27 S4 a request with %s is 400, and nothing behind it is answered",
    async (_title, headers, body) => {
      const text = request("POST", "/api/users/login", ["Content-Type: application/json", ...headers], body);
      const answer = await sendRaw(server.url, text, { untilClosed: true });
      expectProblem(answer, "INVALID_REQUEST");
      expect(answer.statuses).toEqual([400]);
    },
  );

  it("GW1 R26 a request without a host is 400", async () => {
    expectProblem(await raw("GET /api/health HTTP/1.1\r\n\r\n"), "INVALID_REQUEST");
  });

  it("ER1 R28 a head of 20 KB is 431 in the shape of every other error", async () => {
    const answer = await raw(request("GET", "/api/health", [`X-Long: ${"x".repeat(20_000)}`]));
    expectProblem(answer, "INVALID_REQUEST", 431);
  });

  it.each(["TRACE", "CONNECT", "BREW", "PROPFIND"])("ER1 R28 %s is 405 as JSON", async (method) => {
    const target = method === "CONNECT" ? "evil.test:443" : "/api/health";
    const answer = await raw(request(method, target));
    expect({ status: answer.status, code: answer.body["code"] }).toEqual({
      status: 405,
      code: "METHOD_NOT_ALLOWED",
    });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  it("ER1 R28 a method that a path does not have is 405 with those that it has", async () => {
    const answer = await call(server.url, "DELETE", "/api/users/me", { token: ada.token });
    expectProblem(answer, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")?.split(", ")).toEqual(expect.arrayContaining(["GET", "PATCH"]));
  });

  it.each(["h2c", "websocket2", "TLS/1.0"])(
    "GW5 R30 an upgrade to %s on a REST path is answered plainly",
    async (protocol) => {
      const headers = [
        "Connection: Upgrade, HTTP2-Settings",
        `Upgrade: ${protocol}`,
        "HTTP2-Settings: AAMAAABk",
      ];
      expect((await raw(request("GET", "/api/health", headers))).status).toBe(200);
    },
  );

  it("GW6 S4 nothing that stands behind a refused upgrade is answered", async () => {
    const handshake = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 12"];
    const upgrade = request("GET", "/ws", handshake);
    const answer = await sendRaw(server.url, upgrade + request("GET", "/api/health"), { untilClosed: true });
    expect(answer.statuses).toHaveLength(1);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ["a limit that is no number", "/api/servers?limit=abc"],
    ["a limit with a fraction", "/api/servers?limit=1.5"],
    ["two limits", "/api/servers?limit=1&limit=2"],
    ["a cursor of another list", "/api/servers?cursor=bm9uc2Vuc2U"],
    ["a search for nothing", "/api/servers/search"],
    ["a search with an operator", "/api/servers/search?q[$regex]=.*"],
    ["two searches", "/api/servers/search?q=a&q=b"],
    ["an id that is none", "/api/servers/not-an-id"],
  ])("DI2 R11 %s is 400", async (_title, path) => {
    expectProblem(await call(server.url, "GET", path), "INVALID_REQUEST");
  });

  it("ER1 S15 answers do not say what they are made with, and are not to be cached or sniffed", async () => {
    for (const path of ["/api/servers", "/api/users/me", "/api/health"]) {
      const { headers } = await call(server.url, "GET", path, { token: ada.token });
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("server")).toBeNull();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});

describe("other people's things", () => {
  it("AU7 S11 none of an account's ids opens anything to another account", async () => {
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

describe("origins and proxies", () => {
  const APP = "https://app.test";
  const EVIL = [
    "https://evil.test",
    "https://app.test.evil.test",
    "http://app.test",
    "https://app.test:8443",
    "null",
  ];
  let guarded: RunningServer;
  let guest: Credential;

  beforeAll(async () => {
    guarded = await startServer({
      env: {
        CORS_ALLOWLIST: ` ${APP}/, https://other.test:443 `,
        TRUST_PROXY: "1",
        MAX_SOCKETS_PER_ADDRESS: "3",
      },
    });
    guest = await register(guarded.url);
  }, 30_000);

  afterAll(async () => {
    await guarded.stop();
    await guarded.cleanUp();
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

  it("GW4 S12 without a list every origin may call, without credentials, and the start says so", async () => {
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

  it("GW4 S12 C5 with a list only its origins may call, also where they were written with blanks and slashes", async () => {
    for (const origin of [APP, "https://other.test"]) {
      expect(await corsOf(guarded.url, "GET", { origin })).toMatchObject({ origin });
      expect(await corsOf(guarded.url, "OPTIONS", { origin, ...preflight })).toMatchObject({ origin });
    }
    for (const origin of EVIL) {
      expect(await corsOf(guarded.url, "GET", { origin })).toMatchObject({ origin: null });
      expect(await corsOf(guarded.url, "OPTIONS", { origin, ...preflight })).toMatchObject({ origin: null });
    }
  });

  it("GW4 errors carry the CORS headers too, so that a page can read them", async () => {
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
    "GW4 GW6 W24 the list guards upgrades of %s; who sends no origin is no browser",
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

  it("GW6 S2 no header makes an upgrade anybody: the socket still has to identify", async () => {
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

  it("GW6 AU8 sockets count for the address that the last trusted proxy names, whatever stands to its left", async () => {
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
  /** Names that are taken are refused without a hash, so these are cheap; they count like any other. */
  const statuses = async (url: string, username: string, addresses: readonly string[]) =>
    (await Promise.all(addresses.map((address) => taken(url, username, address)))).map(
      ({ status }) => status,
    );
  const count = (list: readonly number[], status: number) => list.filter((each) => each === status).length;

  it("AU8 S6 behind a trusted proxy the limit is the client's own: forged hops, mapped and neighbouring addresses do not evade it", async () => {
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

  it("AU8 S6 without a trusted proxy x-forwarded-for counts for nothing (the last test: this address is used up now)", async () => {
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
