import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { operationsOf } from "../build/openapi-checks.ts";
import type { OpenApi } from "../build/openapi-model.ts";
import document from "./generated/openapi.json" with { type: "json" };
import { Contract } from "./testing/contract.ts";
import { credentials, deviceFailingWith, json, startLocalApi } from "./testing/local-api-under-test.ts";
import type { LocalApiUnderTest } from "./testing/local-api-under-test.ts";
import type { Answer } from "./testing/raw-call.ts";
import { BO, ME, NOW, ROOM, SERVER, messageId } from "./testing/sample.ts";

const openApi = document as unknown as OpenApi;

interface Route {
  readonly operationId: string;
  readonly target: string;
  readonly method?: "POST";
  /** The same route for a missing record. */
  readonly absent?: string;
  readonly open?: true;
  /** Routes that read no record. */
  readonly needsNoDevice?: true;
}

const MESSAGE = `/api/messages/${messageId(0)}`;

const routes: readonly Route[] = [
  { operationId: "getHealth", target: "/api/health", open: true, needsNoDevice: true },
  { operationId: "getOpenApiDocument", target: "/api/openapi.json", open: true, needsNoDevice: true },
  { operationId: "login", target: "/api/auth/login", method: "POST", open: true, needsNoDevice: true },
  { operationId: "logout", target: "/api/auth/logout", method: "POST", needsNoDevice: true },
  { operationId: "getProfile", target: "/api/profile" },
  { operationId: "listRooms", target: "/api/rooms" },
  { operationId: "getRoom", target: `/api/rooms/${ROOM}`, absent: "/api/rooms/x" },
  { operationId: "listRoomUsers", target: `/api/rooms/${ROOM}/users`, absent: "/api/rooms/x/users" },
  {
    operationId: "listRoomMessages",
    target: `/api/rooms/${ROOM}/messages?limit=2`,
    absent: "/api/rooms/x/messages",
  },
  {
    operationId: "listRoomMessagesSince",
    target: `/api/rooms/${ROOM}/messages/since?sinceTimestamp=${NOW - 1}`,
    absent: "/api/rooms/x/messages/since?sinceTimestamp=0",
  },
  { operationId: "listBans", target: `/api/rooms/${ROOM}/bans`, absent: "/api/rooms/x/bans" },
  { operationId: "getBan", target: `/api/rooms/${ROOM}/bans/${BO}`, absent: `/api/rooms/x/bans/${BO}` },
  { operationId: "getMessage", target: MESSAGE, absent: "/api/messages/x" },
  { operationId: "listReactions", target: `${MESSAGE}/reactions`, absent: "/api/messages/x/reactions" },
  {
    operationId: "listMessageAttachments",
    target: `${MESSAGE}/attachments`,
    absent: "/api/messages/x/attachments",
  },
  { operationId: "getUser", target: `/api/users/${BO}`, absent: "/api/users/x" },
  { operationId: "listAttachments", target: "/api/attachments" },
  {
    operationId: "getPluginValue",
    target: "/api/plugin-data?pluginId=map&key=view&scope=local",
    absent: "/api/plugin-data?pluginId=map&key=x&scope=local",
  },
  { operationId: "getMeta", target: "/api/meta/app_currentUserId", absent: "/api/meta/x" },
];

const named = routes.map((route): [string, Route] => [route.operationId, route]);
const guarded = named.filter(([, { open }]) => !open);
const reading = named.filter(([, { needsNoDevice }]) => !needsNoDevice);
const findable = named.filter(([, { absent }]) => absent !== undefined);

describe("LA1 every response conforms to the document", () => {
  let api: LocalApiUnderTest;
  const contract = new Contract(openApi);
  beforeAll(async () => {
    api = await startLocalApi();
  });
  afterAll(() => api.close());
  afterEach(() => {
    api.turn.reader = api.device.reader;
    api.turn.trouble = undefined;
  });

  const checked = (target: string, answer: Answer, status: number, code?: string): Answer => {
    expect([answer.status, code ?? null]).toEqual([
      status,
      code === undefined ? null : (answer.body as { code?: unknown }).code,
    ]);
    contract.check(target, answer);
    return answer;
  };
  const ask = (route: Route, target = route.target): Promise<Answer> =>
    api.call(route.method ?? "GET", target, { headers: api.bearer });
  const askRaw = (route: Route, headers: readonly (readonly [string, string])[]): Promise<Answer> =>
    api.callRaw(route.method ?? "GET", route.target, [
      ...headers,
      ["Authorization", api.bearer.authorization],
    ]);
  const host = (): readonly [string, string] => ["Host", `127.0.0.1:${api.port}`];
  const post = (target: string, headers: Record<string, string>, body: string): Promise<Answer> =>
    api.call("POST", target, { headers, body });

  it("knows every operation of the document", () => {
    const described = operationsOf(openApi).map(({ operationId }) => operationId);
    expect(described.toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted());
  });

  const plain = named.filter(([, { method }]) => method === undefined);
  it.each(plain)("%s succeeds", async (_id, route) => {
    checked(route.target, await ask(route), 200);
  });

  it("login succeeds, and so does logout", async () => {
    const { body } = checked("/api/auth/login", await api.login(), 200);
    const headers = { authorization: `Bearer ${(body as { token: string }).token}` };
    checked("/api/auth/logout", await api.call("POST", "/api/auth/logout", { headers }), 204);
  });

  it("getOpenApiDocument answers 304 to its own ETag", async () => {
    const etag = (await api.get("/api/openapi.json")).headers.get("etag") ?? "";
    checked("/api/openapi.json", await api.get("/api/openapi.json", { "if-none-match": etag }), 304);
  });

  it.each(named)("%s answers 400 to two Host headers", async (_id, route) => {
    checked(route.target, await askRaw(route, [host(), host()]), 400, "INVALID_REQUEST");
  });

  it.each(guarded)("%s answers 401 without a token and with a wrong one", async (_id, route) => {
    const { method = "GET", target } = route;
    checked(target, await api.call(method, target), 401, "AUTH_REQUIRED");
    const headers = { authorization: `Bearer ${"0".repeat(64)}` };
    checked(target, await api.call(method, target, { headers }), 401, "AUTH_INVALID");
  });

  it.each(named)("%s answers 403 to another host and another origin", async (_id, route) => {
    checked(route.target, await askRaw(route, [["Host", "evil.test"]]), 403, "HOST_NOT_ALLOWED");
    const origin = ["Origin", "https://evil.test"] as const;
    checked(route.target, await askRaw(route, [host(), origin]), 403, "FORBIDDEN");
  });

  it.each(findable)("%s answers 404 for a missing record", async (_id, route) => {
    const absent = route.absent ?? "";
    checked(absent, await ask(route, absent), 404, "NOT_FOUND");
  });

  it("getProfile answers 404 before the first sign-in", async () => {
    const nobody = { ...api.device.reader, profile: async () => undefined };
    api.turn.reader = nobody;
    checked("/api/profile", await api.get("/api/profile"), 404, "NOT_FOUND");
  });

  it.each(named)("%s answers 405 to another method", async (_id, { target }) => {
    const answer = await api.call("DELETE", target, { headers: api.bearer });
    checked(target, answer, 405, "METHOD_NOT_ALLOWED");
  });

  it.each(named)("%s answers 500 on an internal error", async (_id, route) => {
    api.turn.trouble = new Error("/home/mira broke");
    checked(route.target, await ask(route), 500, "INTERNAL");
  });

  it.each(reading)("%s answers 503 while the database is unavailable (ER6)", async (_id, route) => {
    api.turn.reader = deviceFailingWith(new ProblemError("UNAVAILABLE"));
    checked(route.target, await ask(route), 503, "UNAVAILABLE");
  });

  it.each(["INVALID_CREDENTIALS", "UPSTREAM_UNREACHABLE", "UPSTREAM_RATE_LIMITED", "RATE_LIMITED"] as const)(
    "login answers %s",
    async (code) => {
      const { validate } = api.turn;
      const problem = new ProblemError(code, undefined, { retryAfterMs: 30_000 });
      api.turn.validate = async () => Promise.reject(problem);
      checked("/api/auth/login", await api.login(), problem.status, code);
      api.turn.validate = validate;
    },
  );

  it("login answers 403 in three ways", async () => {
    const other = { ...credentials, serverUrl: "https://evil.test" };
    checked("/api/auth/login", await api.login(other), 403, "SERVER_NOT_ALLOWED");
    const { settings } = api.turn;
    api.turn.settings = { ...settings, allowedSignalingServers: [] };
    checked("/api/auth/login", await api.login(), 403, "NO_ALLOWED_SERVERS");
    api.turn.settings = settings;
    const held = { signalServerUrl: SERVER, userId: BO, username: "bo", displayName: "Bo", expiresAt: NOW };
    api.turn.accounts = () => [{ ...held, autoProvisioned: false, isHome: true }];
    checked("/api/auth/login", await api.login(), 403, "ACCOUNT_NOT_ON_DEVICE");
    api.turn.accounts = () => [];
  });

  it("login answers 413, 415 and 503", async () => {
    const target = "/api/auth/login";
    checked(
      target,
      await post(target, json, `{"username":"${"x".repeat(20_000)}"}`),
      413,
      "PAYLOAD_TOO_LARGE",
    );
    const text = { "content-type": "text/plain" };
    checked(target, await post(target, text, "{}"), 415, "UNSUPPORTED_MEDIA_TYPE");
    api.turn.accounts = () => {
      throw new ProblemError("UNAVAILABLE");
    };
    checked(target, await api.login(), 503, "UNAVAILABLE");
    api.turn.accounts = () => [];
  });

  it("every documented response was seen", () => {
    expect(contract.missing).toEqual([]);
  });
});

describe("the contract", () => {
  const answer = (status: number, body: unknown): Answer => ({
    status,
    headers: new Headers({ "content-type": "application/json", "x-request-id": "r-1" }),
    text: JSON.stringify(body),
    body,
  });

  it("refuses a wrong shape, status or header, and remembers what it has not seen", () => {
    const contract = new Contract(openApi);
    const health = { status: "ok", version: "1", timestamp: NOW, exposeOnLan: false };
    expect(() => contract.check("/api/health", answer(200, { ...health, version: 1 }))).toThrow("version");
    expect(() => contract.check("/api/health", answer(201, health))).toThrow("promises no 201");
    expect(() => contract.check("/api/elsewhere", answer(200, health))).toThrow("not in the document");
    const bare = { ...answer(200, health), headers: new Headers({ "content-type": "application/json" }) };
    expect(() => contract.check("/api/health", bare)).toThrow("X-Request-Id");
    expect(contract.missing).toContain("getHealth 200");
    contract.check("/api/health", answer(200, { ...health, more: ME }));
    expect(contract.missing).not.toContain("getHealth 200");
  });
});
