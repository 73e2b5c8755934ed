import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { sha256Hex } from "@hearth/runtime";
import { readFileSync } from "node:fs";
import { credentials, deviceFailingWith, startLocalApi } from "./testing/local-api-under-test.ts";
import type { LocalApiUnderTest } from "./testing/local-api-under-test.ts";
import { BO, EMPTY_ROOM, ME, NOW, ROOM, SERVER, messageId } from "./testing/sample.ts";

const TARGETS = [
  "/api/profile",
  "/api/rooms",
  `/api/rooms/${ROOM}`,
  `/api/rooms/${ROOM}/users`,
  `/api/rooms/${ROOM}/messages?limit=3&offset=2`,
  `/api/rooms/${ROOM}/messages/since?sinceTimestamp=0`,
  `/api/rooms/${ROOM}/bans`,
  `/api/rooms/${ROOM}/bans/${BO}`,
  `/api/messages/${messageId(0)}`,
  `/api/messages/${messageId(0)}/reactions`,
  `/api/messages/${messageId(0)}/attachments`,
  `/api/users/${BO}`,
  "/api/attachments",
  "/api/plugin-data?pluginId=map&key=view&scope=local",
  "/api/meta/app_currentUserId",
];

let api: LocalApiUnderTest;
beforeAll(async () => {
  api = await startLocalApi();
});
afterAll(() => api.close());

describe("the local API", () => {
  it("LA1 reports its health without a token (interface 2.5)", async () => {
    const { status, body } = await api.call("GET", "/api/health");
    expect(status).toBe(200);
    expect(body).toEqual({ status: "ok", version: "1.2.3", timestamp: NOW, exposeOnLan: false });
  });

  it("LA1 answers a login with exactly token, expiresAt and user (interface 2.4)", async () => {
    const { status, body } = await api.login({ ...credentials, extra: 1 });
    expect([status, body]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: NOW + 24 * 3_600_000,
        user: { id: ME, username: "mira", displayName: "Mira" },
      },
    ]);
  });

  it("LA2 logout is 204, ends the presented token and no other", async () => {
    const { token } = (await api.login()).body as { token: string };
    const headers = { authorization: `bearer ${token}` };
    const out = await api.call("POST", "/api/auth/logout", { headers });
    expect([out.status, out.text]).toEqual([204, ""]);
    const again = await api.call("POST", "/api/auth/logout", { headers });
    expect([again.status, again.body]).toMatchObject([401, { code: "AUTH_INVALID", reason: "revoked" }]);
    expect((await api.get("/api/rooms")).status).toBe(200);
  });

  it("LA1 lists rooms by name, and users of a room", async () => {
    expect((await api.get("/api/rooms")).body).toMatchObject([{ id: EMPTY_ROOM }, { id: ROOM }]);
    expect((await api.get(`/api/rooms/${ROOM}/users`)).body).toMatchObject([{ id: BO, roomId: ROOM }]);
    expect((await api.get(`/api/rooms/${EMPTY_ROOM}/users`)).body).toEqual([]);
  });

  it("LA1 is read-only: no request changes the database", async () => {
    const look = new DatabaseSync(api.device.file, { readOnly: true });
    const version = (): unknown => look.prepare("PRAGMA data_version").get()?.["data_version"];
    const hash = (): string => sha256Hex(readFileSync(api.device.file, "latin1"));
    const before = [version(), hash()];
    for (const target of TARGETS) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const { status } = await api.call(method, target, { headers: api.bearer });
        expect([target, method, status]).toEqual([
          target,
          method,
          method === "GET" || method === "HEAD" ? 200 : 405,
        ]);
      }
    }
    expect([version(), hash()]).toEqual(before);
    await api.device.writer.setMeta("app_seen", "1");
    expect(version()).not.toBe(before[0]);
    look.close();
  });

  it("LA1 hides internal errors (ER1)", async () => {
    api.turn.reader = deviceFailingWith(new Error("SQLITE_ERROR near /home/mira/device.db"));
    const { status, text } = await api.get("/api/rooms");
    api.turn.reader = api.device.reader;
    expect(status).toBe(500);
    expect(text).not.toMatch(/SQLITE|mira|stack/);
  });
});

describe("methods", () => {
  it.each<[string, string, string]>([
    ["/api/rooms", "POST", "GET, HEAD"],
    [`/api/rooms/${ROOM}/messages`, "PUT", "GET, HEAD"],
    ["/api/auth/login", "GET", "POST"],
    ["/api/auth/logout", "HEAD", "POST"],
    ["/api/openapi.json", "DELETE", "GET, HEAD"],
  ])("LA1 %s refuses %s and lists the allowed methods (L23)", async (target, method, allow) => {
    const answer = await api.call(method, target);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  });

  it("LA1 HEAD answers like GET, without the body", async () => {
    for (const target of ["/api/health", ...TARGETS]) {
      const got = await api.get(target);
      const head = await api.call("HEAD", target, { headers: api.bearer });
      expect([head.status, head.text]).toEqual([200, ""]);
      for (const name of ["content-length", "content-type", "link", "x-total-count"]) {
        expect(head.headers.get(name)).toBe(got.headers.get(name));
      }
    }
  });

  it("LA4 grants no preflight and sends no CORS header (L4)", async () => {
    const preflight = {
      origin: `http://127.0.0.1:${api.port}`,
      "access-control-request-method": "GET",
      "access-control-request-private-network": "true",
    };
    for (const origin of [preflight.origin, "https://evil.test", "null"]) {
      const asked = Object.entries({ host: `127.0.0.1:${api.port}`, ...preflight, origin });
      const answers = [
        await api.callRaw("OPTIONS", "/api/rooms", asked),
        await api.callRaw("GET", "/api/health", asked),
      ];
      expect(answers[0]?.status).toBe(origin === preflight.origin ? 405 : 403);
      for (const { headers } of answers) expect([...headers.keys()].join()).not.toContain("access-control");
    }
  });

  it("LA1 an unknown path is 404, with or without a token", async () => {
    for (const target of [
      "/",
      "/api",
      "/api/Rooms",
      "/api/rooms/x/y",
      "/docs",
      "/static-docs/x",
      "/api/users",
    ]) {
      expect((await api.call("GET", target)).body).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect((await api.get(target)).status).toBe(404);
    }
  });
});

describe("documents", () => {
  it("LA3 are asked for every path that the API does not have, after the guard, and may refuse", async () => {
    const asked: string[] = [];
    const { documents } = api.turn;
    api.turn.documents = (request, response, next) => {
      asked.push(request.url ?? "");
      if (request.url === "/docs") response.end("page");
      else next(request.url === "/static-docs" ? new ProblemError("NOT_FOUND", "Switched off") : undefined);
    };
    expect((await api.call("GET", "/docs")).text).toBe("page");
    expect((await api.call("GET", "/static-docs")).body).toMatchObject({
      status: 404,
      detail: "Switched off",
    });
    expect((await api.call("GET", "/elsewhere")).status).toBe(404);
    await api.get("/api/rooms");
    await api.call("DELETE", "/api/rooms");
    expect((await api.callRaw("GET", "/docs", [["Host", "evil.test"]])).status).toBe(403);
    api.turn.documents = documents;
    expect(asked).toEqual(["/docs", "/static-docs", "/elsewhere"]);
  });
});

describe("headers", () => {
  it("LA1 prevent caching and sniffing, and hide the framework", async () => {
    for (const target of ["/api/health", "/api/rooms", "/api/nowhere"]) {
      const { headers } = await api.get(target);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("etag")).toBeNull();
    }
  });

  it("LA1 of the document contain an ETag, and the document the app's version", async () => {
    const { headers, body } = await api.call("GET", "/api/openapi.json");
    const etag = headers.get("etag") ?? "";
    expect(body).toMatchObject({ openapi: "3.1.1", info: { version: "1.2.3" } });
    expect([etag, headers.get("cache-control")]).toEqual([
      expect.stringMatching(/^"[0-9a-f]{32}"$/),
      "no-cache",
    ]);
    const ask = (known: string) =>
      api.call("GET", "/api/openapi.json", { headers: { "if-none-match": known } });
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await ask(known);
      expect([answer.status, answer.text, answer.headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await ask('"x"')).status).toBe(200);
  });

  it("contain our own request id, which is also in a problem's body", async () => {
    const headers = { ...api.bearer, "x-request-id": "forged", "x-hearth-request-id": "forged" };
    const ids = new Set<string>();
    for (const [target, status] of [
      ["/api/rooms", 200],
      ["/api/nowhere", 404],
      ["/api/rooms/x", 404],
    ] as const) {
      const answer = await api.call("GET", target, { headers });
      const id = answer.headers.get("x-request-id") ?? "";
      expect([answer.status, id]).toEqual([status, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      if (status === 404) expect(answer.body).toMatchObject({ requestId: id });
      ids.add(id);
    }
    expect(ids.size).toBe(3);
  });

  it("ER4 a refused token gets a challenge, two tokens are a malformed request", async () => {
    const none = await api.call("GET", "/api/rooms");
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const wrong = await api.call("GET", "/api/rooms", { headers: { authorization: "Bearer x" } });
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    const { authorization } = api.bearer;
    const host = ["Host", `localhost:${api.port}`] as const;
    const twice = [host, ["Authorization", authorization], ["Authorization", authorization]] as const;
    expect((await api.callRaw("GET", "/api/rooms", twice)).status).toBe(400);
    expect((await api.call("GET", `/api/rooms?token=${api.token}`)).status).toBe(401);
  });
});

describe("the access log", () => {
  it("contains route, token id and request id, but no value, token or text", async () => {
    api.recorded.lines.length = 0;
    await api.get(`/api/messages/${messageId(0)}?note=private`);
    await api.get(`/api/meta/secret-of-mine`);
    await api.login();
    const records = api.recorded.records().filter(({ msg }) => msg === "request");
    expect(records).toMatchObject([
      {
        method: "GET",
        route: "/api/messages/:messageId",
        status: 200,
        tokenId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      { method: "GET", route: "/api/meta/:key", status: 404 },
      { method: "POST", route: "/api/auth/login", status: 200, tokenId: null },
    ]);
    expect(new Set(records.map(({ requestId }) => requestId)).size).toBe(3);
    const written = api.recorded.lines.join("");
    const hidden = [api.token, credentials.password, messageId(0), "private", "secret-of-mine", "Message 0"];
    for (const text of hidden) expect(written).not.toContain(text);
    expect(written).toContain(SERVER);
  });
});
