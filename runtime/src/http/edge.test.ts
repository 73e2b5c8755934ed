import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ERRORS, LIMITS, ProblemError, isErrorCode, route, uuid } from "@hearth/contracts";
import type { ErrorCode } from "@hearth/contracts";
import { z } from "zod";
import { newId } from "../context/ids.ts";
import { currentRequestId } from "../context/request-context.ts";
import type { JwtVerifier } from "../identity/jwt-verifier.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { createTestIdentity, recordedLog, serve } from "../testing/doubles.ts";
import type { Served, TestIdentity } from "../testing/doubles.ts";
import { createHttpEdge } from "./edge.ts";

const base = { owner: "auth", tag: "Test", summary: "A route of the test", errors: [] } as const;
const ok = <Schema extends z.ZodType>(schema: Schema) =>
  ({ status: 200, description: "Fine", schema }) as const;
const any = z.record(z.string(), z.unknown());

const routes = {
  echo: route({
    ...base,
    operationId: "echo",
    method: "post",
    path: "/api/echo",
    auth: "none",
    body: z.strictObject({ name: z.string().min(2).optional(), deep: z.unknown().optional() }),
    success: ok(any),
  }),
  item: route({
    ...base,
    operationId: "item",
    method: "get",
    path: "/api/items/:id",
    auth: "none",
    params: z.object({ id: uuid }),
    query: z.object({ limit: z.coerce.number().int().optional(), tag: z.array(z.string()).optional() }),
    success: ok(any),
  }),
  remove: route({
    ...base,
    operationId: "remove",
    method: "delete",
    path: "/api/items/:id",
    auth: "bearer",
    params: z.object({ id: uuid }),
    success: { status: 204, description: "Gone" },
  }),
  fail: route({
    ...base,
    operationId: "fail",
    method: "post",
    path: "/api/fail",
    auth: "none",
    body: any,
    success: ok(any),
  }),
} as const;

const later = {
  special: route({
    ...base,
    operationId: "special",
    method: "put",
    path: "/api/items/special",
    auth: "none",
    success: ok(any),
  }),
  maybe: route({
    ...base,
    operationId: "maybe",
    method: "get",
    path: "/api/maybe",
    auth: "optional",
    success: ok(z.object({ userId: z.string().nullable() })),
  }),
} as const;

type Init = NonNullable<Parameters<typeof fetch>[1]>;

const QUOTA = { name: "auth", limit: 100, windowSeconds: 900, remaining: 0, resetSeconds: 310 };
const json = { "content-type": "application/json" };

describe("the HTTP edge", () => {
  let served: Served;
  let identity: TestIdentity;
  let keysAway: boolean;
  const metrics = createMetrics({ process: false });
  const { log, lines, records } = recordedLog();

  beforeAll(async () => {
    identity = await createTestIdentity();
    const verifier: JwtVerifier = {
      verify: async (jwt) => {
        if (keysAway) throw new ProblemError("UNAVAILABLE");
        return identity.verifier.verify(jwt);
      },
    };
    const edge = createHttpEdge({ service: "test", log, metrics, identity: verifier, validateAnswers: true });
    edge.mount(routes, {
      echo: async (input) => ({ ...input, requestId: currentRequestId() ?? null }),
      item: async ({ params, query, reportQuota }) => {
        reportQuota({ ...QUOTA, remaining: 7 });
        return { ...params, ...query };
      },
      remove: async () => undefined,
      fail: async ({ body }) => {
        if (body["answer"] === "wrong") return [] as unknown as Record<string, unknown>;
        const { code, ...extras } = body;
        if (!isErrorCode(code)) throw new Error("SQLITE_ERROR at /var/lib/hearth token=abc");
        throw new ProblemError(code, "Said by the handler", extras);
      },
    });
    edge.mount(later, {
      special: async () => ({ special: true }),
      maybe: async ({ actor }) => ({ userId: actor?.userId ?? null }),
    });
    served = await serve(edge.listener());
  });
  afterAll(() => served.close());
  beforeEach(() => {
    keysAway = false;
    lines.length = 0;
  });

  const call = async (method: string, path: string, init: Init = {}) => {
    const response = await fetch(served.url + path, { method, ...init });
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body, text };
  };
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = json) =>
    call("POST", path, { body, headers });
  const fail = (body: Record<string, unknown>) => post("/api/fail", JSON.stringify(body));
  /** Sends bytes as they are and reads until the server closes. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answered = "";
      const socket = connect(served.port, "127.0.0.1", () => socket.write(text));
      socket.setEncoding("utf8");
      socket.on("data", (chunk: string) => (answered += chunk));
      socket.on("close", () => resolve(answered));
      socket.on("error", reject);
    });

  describe("errors", () => {
    it("ER1 answers problem+json with every member, and the same request id in body and header", async () => {
      const { status, headers, body } = await fail({ code: "CONFLICT" });
      expect(status).toBe(409);
      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(body).toEqual({
        type: "urn:hearth:problem:conflict",
        title: ERRORS.CONFLICT.title,
        status: 409,
        detail: "Said by the handler",
        code: "CONFLICT",
        requestId: headers.get("x-request-id"),
      });
    });

    it("ER1 names invalid fields by path, without their values", async () => {
      const { status, body, text } = await post("/api/echo", '{"name":"X","password":"hunter2"}');
      expect(status).toBe(400);
      expect(body["errors"]).toEqual([
        { path: "name", message: expect.any(String) },
        { path: "password", message: "Unknown field" },
      ]);
      expect(text).not.toContain("hunter2");
    });

    it("ER1 hides what an unexpected error says, and logs it with its stack", async () => {
      const { status, body, text } = await fail({ code: "nothing we know" });
      expect(status).toBe(500);
      expect(body["code"]).toBe("INTERNAL");
      expect(text).not.toMatch(/SQLITE|\/var|token|stack|edge\.test/);
      const logged = records().find(({ msg }) => msg === "unexpected error");
      expect(logged).toMatchObject({ operation: "fail", requestId: body["requestId"] });
      expect(JSON.stringify(logged)).toContain("SQLITE_ERROR");
      expect(JSON.stringify(logged)).toContain("edge.test.ts");
    });

    it("ER2 keeps details beside the standard members, which they cannot replace", async () => {
      const details = { ownerClientInstanceId: "c-1", status: 200, requestId: "forged" };
      const { status, body } = await fail({ code: "VOICE_NOT_OWNER", details });
      expect(status).toBe(409);
      expect(body).toMatchObject({ ownerClientInstanceId: "c-1", status: 409 });
      expect(body["requestId"]).not.toBe("forged");
    });

    it.each(Object.keys(ERRORS))("ER3 answers %s with the status of the closed list", async (code) => {
      const { status, body } = await fail({ code });
      expect(status).toBe(ERRORS[code as ErrorCode].status);
      expect(body).toMatchObject({ code, status });
    });

    it("ER3 tells in `reason` why a presented credential was refused", async () => {
      const { body } = await fail({ code: "AUTH_INVALID", reason: "revoked" });
      expect(body["reason"]).toBe("revoked");
    });

    it("ER4 challenges with Bearer, and with invalid_token only when a token was presented", async () => {
      const challenge = async (headers: Record<string, string>) => {
        const answer = await call("DELETE", `/api/items/${newId()}`, { headers });
        expect(answer.status).toBe(401);
        return [answer.headers.get("www-authenticate"), answer.body["code"]];
      };
      await expect(challenge({})).resolves.toEqual(["Bearer", "AUTH_REQUIRED"]);
      await expect(challenge({ authorization: "Basic YTpi" })).resolves.toEqual(["Bearer", "AUTH_REQUIRED"]);
      const invalid = ['Bearer error="invalid_token"', "AUTH_INVALID"];
      await expect(challenge({ authorization: "Bearer nonsense" })).resolves.toEqual(invalid);
      await expect(challenge({ authorization: "Bearer" })).resolves.toEqual(invalid);
      expect((await fail({ code: "INVALID_CREDENTIALS" })).headers.get("www-authenticate")).toBe("Bearer");
      expect((await fail({ code: "FORBIDDEN" })).headers.get("www-authenticate")).toBeNull();
    });

    it("ER5 answers 429 with Retry-After, both RateLimit fields and the X-RateLimit trio", async () => {
      const before = Math.floor(Date.now() / 1000);
      const { status, headers } = await fail({ code: "RATE_LIMITED", retryAfterMs: 309_001, quota: QUOTA });
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toBe("310");
      expect(headers.get("ratelimit-policy")).toBe('"auth";q=100;w=900');
      expect(headers.get("ratelimit")).toBe('"auth";r=0;t=310');
      expect(headers.get("x-ratelimit-limit")).toBe("100");
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
      const reset = Number(headers.get("x-ratelimit-reset"));
      expect(reset).toBeGreaterThanOrEqual(before + 310);
      expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 310);
    });

    it("ER5 gives Retry-After to every 429, and the quota to a success that reports it", async () => {
      expect((await fail({ code: "RATE_LIMITED" })).headers.get("retry-after")).toBe("1");
      const { status, headers } = await call("GET", `/api/items/${newId()}`);
      expect([status, headers.get("ratelimit")]).toEqual([200, '"auth";r=7;t=310']);
    });

    it("ER6 answers 503, never 401, while identities cannot be verified", async () => {
      keysAway = true;
      const headers = await identity.headersOf();
      for (const [method, path] of [
        ["DELETE", `/api/items/${newId()}`],
        ["GET", "/api/maybe"],
      ] as const) {
        const answer = await call(method, path, { headers });
        expect([answer.status, answer.body["code"]]).toEqual([503, "UNAVAILABLE"]);
        expect(answer.headers.get("www-authenticate")).toBeNull();
      }
    });

    it("ER6 passes trouble of the bus on as 503 and 504, with Retry-After where it is known", async () => {
      const away = await fail({ code: "UNAVAILABLE", retryAfterMs: 1_200 });
      expect([away.status, away.headers.get("retry-after")]).toEqual([503, "2"]);
      expect((await fail({ code: "TIMEOUT" })).status).toBe(504);
    });
  });

  describe("bodies", () => {
    it("GW7 takes JSON objects up to 256 KiB", async () => {
      const overhead = '{"name":""}'.length;
      const fits = `{"name":"${"x".repeat(LIMITS.httpBodyBytes - overhead)}"}`;
      expect((await post("/api/echo", fits)).status).toBe(200);
      const answer = await post("/api/echo", fits.replace("x", "xx"));
      expect([answer.status, answer.body["code"]]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    });

    it("GW7 refuses a chunked body as soon as it has grown past the limit", async () => {
      const body = new ReadableStream({
        start(stream) {
          for (let n = 0; n < 5; n++) stream.enqueue(new Uint8Array(64 * 1024).fill(0x20));
          stream.close();
        },
      });
      const init = { body, headers: json, duplex: "half" } as const;
      expect((await call("POST", "/api/echo", init)).status).toBe(413);
    });

    it.each([
      ["text", "text/plain", "{}"],
      ["a form", "application/x-www-form-urlencoded", "a=1"],
      ["another charset", "application/json; charset=koi8-r", "{}"],
      ["no type", "", "{}"],
    ])("GW7 answers 415 to %s", async (_name, type, text) => {
      const answer = await post("/api/echo", Buffer.from(text), type ? { "content-type": type } : {});
      expect([answer.status, answer.body["code"]]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    });

    it.each([
      ["truncated JSON", '{"name":'],
      ["a scalar", "5"],
      ["null", "null"],
      ["an array", "[]"],
      ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["60 KB of nested brackets", `{"deep":${"[".repeat(60_000)}`],
      ["well-formed JSON one level too deep", `{"deep":${"[".repeat(32)}${"]".repeat(32)}}`],
    ])("GW7 answers 400 to %s", async (_name, body) => {
      const answer = await post("/api/echo", body);
      expect([answer.status, answer.body["code"]]).toEqual([400, "INVALID_REQUEST"]);
    });

    it("takes the deepest allowed nesting, and brackets within strings", async () => {
      const deep = `{"deep":${"[".repeat(31)}${"]".repeat(31)}}`;
      expect((await post("/api/echo", deep)).status).toBe(200);
      expect((await post("/api/echo", `{"deep":"${"[".repeat(100)}\\"${"{".repeat(100)}"}`)).status).toBe(
        200,
      );
    });

    it.each([
      "application/json; charset=UTF-8",
      'application/json;charset="utf-8"',
      "application/merge+json",
    ])("takes %s", async (type) => {
      expect((await post("/api/echo", '{"name":"hi"}', { "content-type": type })).status).toBe(200);
    });

    it("inflates gzip, answers 413 to a bomb, 400 to garbage, 415 to zstd", async () => {
      const gzip = { ...json, "content-encoding": "gzip" };
      expect((await post("/api/echo", gzipSync('{"name":"hi"}'), gzip)).body["body"]).toEqual({ name: "hi" });
      const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20));
      expect((await post("/api/echo", bomb, gzip)).status).toBe(413);
      expect((await post("/api/echo", "garbage", gzip)).status).toBe(400);
      expect((await post("/api/echo", "{}", { ...json, "content-encoding": "zstd" })).status).toBe(415);
    });

    it("takes no body at all for an empty object", async () => {
      expect((await call("POST", "/api/echo")).body["body"]).toEqual({});
    });

    it("does not let a body reach the prototype", async () => {
      const answer = await post("/api/echo", '{"__proto__":{"polluted":true}}');
      expect(answer.status).toBe(400);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });
  });

  describe("paths and queries", () => {
    it("ER3 answers 404 to an unknown path, and paths differ in case", async () => {
      for (const path of ["/", "/api/nothing", "/api/ECHO", "//api/echo"]) {
        const { status, body } = await call("POST", path);
        expect([path, status, body["code"]]).toEqual([path, 404, "NOT_FOUND"]);
      }
    });

    it("ER3 answers 405 with Allow to another method, over all patterns that fit", async () => {
      const answer = await call("POST", "/api/items/special");
      expect([answer.status, answer.body["code"]]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([
        "DELETE",
        "GET",
        "HEAD",
        "OPTIONS",
        "PUT",
      ]);
      expect((await call("GET", "/api/echo")).headers.get("allow")).toBe("POST, OPTIONS");
    });

    it("answers OPTIONS with 204 and Allow, HEAD like GET without a body", async () => {
      const options = await call("OPTIONS", "/api/echo");
      expect([options.status, options.headers.get("allow"), options.text]).toEqual([
        204,
        "POST, OPTIONS",
        "",
      ]);
      const head = await call("HEAD", `/api/items/${newId()}`);
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
    });

    it("reaches a literal path that a later mount put beside a parameter", async () => {
      expect((await call("PUT", "/api/items/special")).body).toEqual({ special: true });
    });

    it.each(["x", "..%2fx", "%2e%2e", "%00", "%E0%A4%A", "__proto__"])(
      "answers 400 or 404 to the id %s",
      async (id) => {
        const answer = await raw(`GET /api/items/${id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1.1 40[04] /);
        expect(answer).toContain("application/problem+json");
      },
    );

    it("refuses a repeated query value where one is meant, and takes it where the schema does", async () => {
      const path = `/api/items/${newId()}`;
      expect((await call("GET", `${path}?limit=5`)).body["limit"]).toBe(5);
      const twice = await call("GET", `${path}?limit=5&limit=6`);
      expect([twice.status, twice.body["errors"]]).toEqual([
        400,
        [{ path: "limit", message: expect.any(String) }],
      ]);
      expect((await call("GET", `${path}?tag=a&tag=b`)).body["tag"]).toEqual(["a", "b"]);
      expect((await call("GET", `${path}?other=a&other=b&a[b]=1`)).status).toBe(200);
    });
  });

  describe("who acts", () => {
    const path = () => `/api/items/${newId()}`;

    it("lets a bearer of the internal JWT through, in any case of the scheme", async () => {
      const jwt = await identity.jwtOf();
      expect((await call("DELETE", path(), { headers: { authorization: `bearer  ${jwt}` } })).status).toBe(
        204,
      );
    });

    it("refuses two Authorization headers", async () => {
      const jwt = await identity.jwtOf();
      const head = `DELETE ${path()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
      const two = `Authorization: Bearer ${jwt}\r\nAuthorization: Bearer other\r\n\r\n`;
      expect(await raw(head + two)).toMatch(/^HTTP\/1.1 400 /);
    });

    it("GW3 uses a good token where one is optional and passes over a bad one", async () => {
      const userId = newId();
      const good = await identity.headersOf({ userId });
      expect((await call("GET", "/api/maybe", { headers: good })).body).toEqual({ userId });
      const bad = { authorization: "Bearer bad" };
      expect((await call("GET", "/api/maybe", { headers: bad })).body).toEqual({ userId: null });
      expect((await call("GET", "/api/maybe")).body).toEqual({ userId: null });
    });

    it("checks who acts before what is sent", async () => {
      expect((await call("DELETE", "/api/items/not-an-id")).status).toBe(401);
    });

    it("takes the client's address from the gateway when it is one", async () => {
      const address = async (value: string) =>
        (await post("/api/echo", "{}", { ...json, "x-forwarded-for": value })).body["clientAddress"];
      await expect(address("192.0.2.7")).resolves.toBe("192.0.2.7");
      await expect(address("192.0.2.7, 10.0.0.1")).resolves.toBe("127.0.0.1");
    });

    it("cannot mount a route that needs an actor without an identity", () => {
      const edge = createHttpEdge({ service: "test", log, metrics });
      const { remove } = routes;
      expect(() => edge.mount({ remove }, { remove: async () => undefined })).toThrow("identity");
    });
  });

  describe("answers", () => {
    it("carry no trace of the framework, no etag, and are not stored", async () => {
      const { headers } = await call("GET", `/api/items/${newId()}`);
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("etag")).toBeNull();
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    });

    it("keep a sane request id and replace any other", async () => {
      const idOf = async (id: string) => {
        const answer = await post("/api/echo", "{}", { ...json, "x-request-id": id });
        expect(answer.body["requestId"]).toBe(answer.headers.get("x-request-id"));
        return answer.headers.get("x-request-id");
      };
      await expect(idOf("abc-1.2_3:4")).resolves.toBe("abc-1.2_3:4");
      for (const bad of ["a b", "x".repeat(65), "<script>", '"']) {
        await expect(idOf(bad)).resolves.toMatch(/^[0-9a-f-]{36}$/);
      }
    });

    it("that break their contract are INTERNAL while answers are validated", async () => {
      expect((await fail({ answer: "wrong" })).status).toBe(500);
    });
  });

  describe("what is recorded", () => {
    it("is one line per request with the route's pattern, no value of the path or query, no body, no token", async () => {
      const id = newId();
      const userId = newId();
      const jwt = await identity.jwtOf({ userId });
      const headers = { ...json, authorization: `Bearer ${jwt}`, "x-request-id": "r-77" };
      await call("DELETE", `/api/items/${id}?q=findme`, { headers, body: '{"secret":"findme"}' });
      const access = records().filter(({ msg }) => msg === "request");
      expect(access).toEqual([
        expect.objectContaining({
          method: "DELETE",
          route: "/api/items/:id",
          status: 204,
          ms: expect.any(Number),
          requestId: "r-77",
          userId,
        }),
      ]);
      for (const hidden of [id, "findme", jwt]) expect(lines.join("")).not.toContain(hidden);
    });

    it("is counted by operation and status", async () => {
      await call("GET", "/api/unknown/path");
      await call("PUT", "/api/items/special");
      const text = await metrics.text();
      expect(text).toMatch(
        /hearth_http_requests_total\{service="test",operation="special",status="200"\} \d/,
      );
      expect(text).toMatch(
        /hearth_http_requests_total\{service="test",operation="unknown",status="404"\} \d/,
      );
      expect(text).toMatch(
        /hearth_http_request_duration_seconds_count\{service="test",operation="special"\} \d/,
      );
    });
  });
});
