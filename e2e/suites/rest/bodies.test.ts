import { gzipSync } from "node:zlib";
import type { ErrorCode } from "@hearth/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { type CallOptions, expectOk, PASSWORD, register } from "../../src/client/index.ts";
import { bodyOf, JSON_TYPE, json, loginBody, requestsTo } from "../../src/client/requests.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const server = serverForTests();

beforeAll(async () => {
  await register(server.url, "ada");
});

const { post, raw, request } = requestsTo(() => server.url);

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
      "AB1 R4 what is not what its encoding says",
      "UNSUPPORTED_MEDIA_TYPE",
      () => ({ raw: "{}", headers: { ...JSON_TYPE, "content-encoding": "gzip" } }),
    ],
    ["AB1 R5 a gzip bomb of 20 MB", "UNSUPPORTED_MEDIA_TYPE", bomb],
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

  it("GW7 R3 a body without a content type is 415", async () => {
    expectProblem(await raw(request("POST", "/api/users/login", [], "{}")), "UNSUPPORTED_MEDIA_TYPE");
  });

  it("GW7 R5 an endless body is 413, with a length or chunked", async () => {
    const head = request("POST", "/api/users/login", [
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ]);
    const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`;
    expectProblem(await raw(head + chunk.repeat(9)), "PAYLOAD_TOO_LARGE");
  });

  it("GW7 a body of exactly 256 KiB is accepted", async () => {
    const frame = JSON.stringify({ username: "", password: PASSWORD }).length;
    const body = { username: "x".repeat(256 * 1024 - frame), password: PASSWORD };
    expectProblem(await post("/api/users/login", { body }), "INVALID_REQUEST");
  });

  it("GW7 R5 the server is healthy after all of that", async () => {
    const health = await expectOk<{ status: string }>(server.url, "GET", "/api/health");
    expect(health.status).toBe("ok");
  });
});
