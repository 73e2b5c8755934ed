import type { Credential } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { call, freshName, register, sendRaw } from "../../src/client/index.ts";
import { authorization, requestsTo } from "../../src/client/requests.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();
let ada: Credential;

beforeAll(async () => {
  ada = await register(server.url, freshName("ada"));
});

const { raw, request } = requestsTo(() => server.url);

describe("request targets, methods and headers", () => {
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

  it("GW1 R27 an absolute target reaches our own route, whatever its host", async () => {
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

  it("ER1 R28 headers of 20 KB are 431, with the usual problem document", async () => {
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

  it("ER1 R28 an unsupported method is 405 with the supported ones", async () => {
    const answer = await call(server.url, "PUT", "/api/users/me", { token: ada.token });
    expectProblem(answer, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")?.split(", ")).toEqual(expect.arrayContaining(["GET", "PATCH"]));
  });

  it.each(["h2c", "websocket2", "TLS/1.0"])(
    "GW5 R30 an upgrade to %s on a REST path is answered as a plain request",
    async (protocol) => {
      const headers = [
        "Connection: Upgrade, HTTP2-Settings",
        `Upgrade: ${protocol}`,
        "HTTP2-Settings: AAMAAABk",
      ];
      expect((await raw(request("GET", "/api/health", headers))).status).toBe(200);
    },
  );

  it("GW6 S4 data behind a refused upgrade gets no response", async () => {
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

  it("ER1 S15 responses do not reveal the software and forbid caching and sniffing", async () => {
    for (const path of ["/api/servers", "/api/users/me", "/api/health"]) {
      const { headers } = await call(server.url, "GET", path, { token: ada.token });
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("server")).toBeNull();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });
});
