import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { credentials, json, startLocalApi } from "./testing/local-api-under-test.ts";
import type { LocalApiUnderTest } from "./testing/local-api-under-test.ts";
import { BO, LOCAL_PATH, ME, ROOM, messageId } from "./testing/sample.ts";

let api: LocalApiUnderTest;
beforeAll(async () => {
  api = await startLocalApi();
});
afterAll(() => api.close());

describe("unknown ids", () => {
  const ids = [
    "'",
    "' OR 1=1 --",
    "%00",
    "x%00y",
    "%2e%2e%2f",
    "..%5c",
    "x".repeat(10_000),
    "__proto__",
    "constructor",
    "%F0%9F%98%80",
    "since",
    "bans",
    "%22",
    "%25",
    "*",
  ];
  const routes = [
    "/api/rooms/ID",
    "/api/rooms/ID/users",
    "/api/rooms/ID/messages",
    "/api/rooms/ID/messages/since?sinceTimestamp=0",
    "/api/rooms/ID/bans",
    `/api/rooms/ID/bans/${BO}`,
    "/api/messages/ID",
    "/api/messages/ID/reactions",
    "/api/messages/ID/attachments",
    "/api/users/ID",
    "/api/meta/ID",
  ];
  const cases = routes.map((route): [string] => [route]);

  it.each(cases)("LA2 are 404 at %s (L18)", async (route) => {
    for (const id of ids) {
      const { status, body } = await api.get(route.replace("ID", id));
      expect([id, status, body]).toEqual([id, 404, expect.objectContaining({ code: "NOT_FOUND" })]);
    }
  });

  it("LA2 an unknown user is not banned, nor is one whose ban ended", async () => {
    expect((await api.get(`/api/rooms/${ROOM}/bans/${BO}`)).body).toEqual({ isBanned: true });
    expect((await api.get(`/api/rooms/${ROOM}/bans/__proto__`)).body).toEqual({ isBanned: false });
    expect((await api.get(`/api/rooms/${ROOM}/bans/${ME}`)).body).toEqual({ isBanned: false });
    expect((await api.get(`/api/rooms/${ROOM}/bans`)).body).toMatchObject([{ userId: BO }]);
  });

  it("LA2 malformed encodings are refused", async () => {
    const answer = await api.callRaw("GET", "/api/rooms/%E0%A4%A", [
      ["Host", `127.0.0.1:${api.port}`],
      ["Authorization", api.bearer.authorization],
    ]);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: "INVALID_REQUEST" })]);
  });

  it("LA2 dots in a path lead nowhere else", async () => {
    const headers = [
      ["Host", `127.0.0.1:${api.port}`],
      ["Authorization", api.bearer.authorization],
    ] as const;
    for (const target of [
      "/api/rooms/../health",
      "/api/rooms/%2e%2e/health",
      "/api//health",
      "/api/rooms//messages",
    ]) {
      expect((await api.callRaw("GET", target, headers)).status).toBe(404);
    }
  });

  it("LA2 `since` and `bans` are never ids (L24)", async () => {
    expect((await api.get(`/api/rooms/${ROOM}/messages/since`)).status).toBe(400);
    expect((await api.get(`/api/rooms/${ROOM}/bans`)).body).toHaveLength(1);
    expect((await api.get(`/api/rooms/${ROOM}/messages/${messageId(0)}`)).status).toBe(404);
  });
});

describe("metadata", () => {
  it("LA1 returns a value that the app keeps", async () => {
    expect((await api.get("/api/meta/app_currentUserId")).body).toEqual({
      key: "app_currentUserId",
      value: ME,
    });
  });

  it.each([
    "app.authTokens",
    "app.signalServerCredentials",
    "APP.AUTHTOKENS",
    "provision%20secret",
    "Provision-Secret",
    "app_sessionToken",
    "password",
    "api_key",
    "app.auth%EF%BC%B4okens",
  ])("LA2 %s is never found, even if it is stored (L19)", async (key) => {
    api.turn.reader = { ...api.device.reader, meta: async () => "left here by mistake" };
    const { status, text } = await api.get(`/api/meta/${key}`);
    api.turn.reader = api.device.reader;
    expect(status).toBe(404);
    expect(text).not.toContain("mistake");
  });
});

describe("plugin data", () => {
  const ask = (query: string) => api.get(`/api/plugin-data?${query}`);

  it("LA1 returns the device's and a server's value, null included", async () => {
    expect((await ask("pluginId=map&key=view&scope=local")).body).toEqual({ value: { zoom: 3 } });
    expect((await ask(`pluginId=map&key=view&scope=local&serverId=${ROOM}`)).body).toEqual({
      value: { zoom: 3 },
    });
    const kept = await ask(`pluginId=map&key=view&scope=server&serverId=${ROOM}`);
    expect([kept.status, kept.text]).toEqual([200, '{"value":null}']);
  });

  it.each<[string, string]>([
    ["key=view&scope=local", "pluginId"],
    ["pluginId=&key=view&scope=local", "pluginId"],
    ["pluginId=map&scope=local", "key"],
    ["pluginId=map&key=&scope=local", "key"],
    ["pluginId=map&key=a&key=b&scope=local", "key"],
    ["pluginId=map&key=view", "scope"],
    ["pluginId=map&key=view&scope=x", "scope"],
    ["pluginId=map&key=view&scope=local&scope=server", "scope"],
    ["pluginId=map&key=view&scope=server", "serverId"],
    ["pluginId=map&key=view&scope=server&serverId=", "serverId"],
  ])("LA2 refuses %s for its %s (L20)", async (query, path) => {
    const { status, body } = await ask(query);
    expect([status, body]).toMatchObject([400, { code: "INVALID_REQUEST", errors: [{ path }] }]);
  });

  it("LA2 names the allowed scopes, but not the given one (L20)", async () => {
    for (const scope of ["x", "['s3cret']", "s3cret&scope=local"]) {
      const { body, text } = await ask(`pluginId=map&key=view&scope=${scope}`);
      expect(body).toMatchObject({ errors: [{ path: "scope", message: "must be local or server" }] });
      expect(text).not.toContain("s3cret");
    }
  });

  it("LA2 is 404 for a missing key (L20)", async () => {
    expect((await ask("pluginId=map&key=other&scope=local")).status).toBe(404);
    expect((await ask("pluginId=map&key=view&scope=server&serverId=x")).status).toBe(404);
  });
});

describe("a login", () => {
  const post = (body: string, headers: Record<string, string> = json) =>
    api.call("POST", "/api/auth/login", { body, headers });

  it.each(["username", "password", "serverUrl"])(
    "LA1 is refused for its %s before anything else (L6)",
    async (name) => {
      const { settings } = api.turn;
      api.turn.settings = { ...settings, allowedSignalingServers: [] };
      for (const value of [undefined, null, 5, "", [], {}, true]) {
        const { status, body, text } = await api.login({ ...credentials, [name]: value });
        expect([status, body]).toMatchObject([400, { code: "INVALID_REQUEST", errors: [{ path: name }] }]);
        expect(text).not.toContain(credentials.password);
      }
      api.turn.settings = settings;
    },
  );

  it.each<[string, string]>([
    ["truncated JSON", '{"username":'],
    ["a scalar", "5"],
    ["null", "null"],
    ["an array", "[]"],
    ["deep brackets", `{"x":${"[".repeat(10_000)}`],
    ["nothing", ""],
  ])("LA1 is refused for %s", async (_what, body) => {
    expect((await post(body)).body).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/merge-patch+json",
    "text/plain; application/json",
    "application/json; charset=koi8-r",
  ])("LA4 is not accepted from %s (L5)", async (type) => {
    const answer = await post(JSON.stringify(credentials), { "content-type": type });
    expect([answer.status, answer.body]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  });

  it("LA1 is not accepted beyond 16 KiB", async () => {
    expect((await post(JSON.stringify({ ...credentials, more: "x".repeat(16_384) }))).status).toBe(413);
  });

  it.each(["gzip", "br", "deflate"])("AB1 is refused in %s, right or wrong", async (encoding) => {
    const answer = await post(JSON.stringify(credentials), { "content-encoding": encoding });
    expect([answer.status, answer.body]).toMatchObject([415, { code: "UNSUPPORTED_MEDIA_TYPE" }]);
  });
});

describe("attachments", () => {
  it("LA1 never reveal where their bytes are stored", async () => {
    for (const target of ["/api/attachments", `/api/messages/${messageId(0)}/attachments`]) {
      const { body, text } = await api.get(target);
      expect(body).toMatchObject([{ filename: "chart.png", isLocal: true, size: 3_000_000_000 }]);
      expect(text).not.toContain(LOCAL_PATH);
      expect(text).not.toMatch(/path/i);
    }
  });
});
