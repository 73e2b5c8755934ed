import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { newId } from "../context/ids.ts";
import { createHttpEdge } from "./edge.ts";
import { json, routes, startEdge } from "./testing/edge-under-test.ts";
import type { EdgeUnderTest } from "./testing/edge-under-test.ts";

describe("the HTTP edge", () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    edge.recorded.lines.length = 0;
  });

  describe("paths and queries", () => {
    it("ER3 answers 404 to an unknown path, and paths differ in case", async () => {
      for (const path of ["/", "/api/nothing", "/api/ECHO", "//api/echo"]) {
        const { status, body } = await edge.call("POST", path);
        expect([path, status, body["code"]]).toEqual([path, 404, "NOT_FOUND"]);
      }
    });

    it("ER3 answers 405 with Allow to another method, over all patterns that fit", async () => {
      const answer = await edge.call("POST", "/api/items/special");
      expect([answer.status, answer.body["code"]]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([
        "DELETE",
        "GET",
        "HEAD",
        "OPTIONS",
        "PUT",
      ]);
      expect((await edge.call("GET", "/api/echo")).headers.get("allow")).toBe("POST, OPTIONS");
    });

    it("answers OPTIONS with 204 and Allow, HEAD like GET without a body", async () => {
      const options = await edge.call("OPTIONS", "/api/echo");
      expect([options.status, options.headers.get("allow"), options.text]).toEqual([
        204,
        "POST, OPTIONS",
        "",
      ]);
      const head = await edge.call("HEAD", `/api/items/${newId()}`);
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
    });

    it("reaches a literal path that a later mount added beside a parameter", async () => {
      expect((await edge.call("PUT", "/api/items/special")).body).toEqual({ special: true });
    });

    it.each(["x", "..%2fx", "%2e%2e", "%00", "%E0%A4%A", "__proto__"])(
      "answers 400 or 404 to the id %s",
      async (id) => {
        const answer = await edge.raw(
          `GET /api/items/${id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1.1 40[04] /);
        expect(answer).toContain("application/problem+json");
      },
    );

    it("refuses a repeated query value unless the schema takes a list", async () => {
      const path = `/api/items/${newId()}`;
      expect((await edge.call("GET", `${path}?limit=5`)).body["limit"]).toBe(5);
      const twice = await edge.call("GET", `${path}?limit=5&limit=6`);
      expect([twice.status, twice.body["errors"]]).toEqual([
        400,
        [{ path: "limit", message: expect.any(String) }],
      ]);
      expect((await edge.call("GET", `${path}?tag=a&tag=b`)).body["tag"]).toEqual(["a", "b"]);
      expect((await edge.call("GET", `${path}?other=a&other=b&a[b]=1`)).status).toBe(200);
    });
  });

  describe("the actor", () => {
    const path = () => `/api/items/${newId()}`;

    it("is read from the internal JWT, in any case of the scheme", async () => {
      const jwt = await edge.identity.jwtOf();
      expect(
        (await edge.call("DELETE", path(), { headers: { authorization: `bearer  ${jwt}` } })).status,
      ).toBe(204);
    });

    it("refuses two Authorization headers", async () => {
      const jwt = await edge.identity.jwtOf();
      const head = `DELETE ${path()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
      const two = `Authorization: Bearer ${jwt}\r\nAuthorization: Bearer other\r\n\r\n`;
      expect(await edge.raw(head + two)).toMatch(/^HTTP\/1.1 400 /);
    });

    it("GW3 is read from an optional token, and absent with a bad one", async () => {
      const userId = newId();
      const good = await edge.identity.headersOf({ userId });
      expect((await edge.call("GET", "/api/maybe", { headers: good })).body).toEqual({ userId });
      const bad = { authorization: "Bearer bad" };
      expect((await edge.call("GET", "/api/maybe", { headers: bad })).body).toEqual({ userId: null });
      expect((await edge.call("GET", "/api/maybe")).body).toEqual({ userId: null });
    });

    it("is checked before the input", async () => {
      expect((await edge.call("DELETE", "/api/items/not-an-id")).status).toBe(401);
    });

    it("gets the client's address from the gateway if it is valid", async () => {
      const address = async (value: string) =>
        (await edge.post("/api/echo", "{}", { ...json, "x-forwarded-for": value })).body["clientAddress"];
      await expect(address("192.0.2.7")).resolves.toBe("192.0.2.7");
      await expect(address("192.0.2.7, 10.0.0.1")).resolves.toBe("127.0.0.1");
    });

    it("is required: a route with one cannot be mounted without a verifier", () => {
      const { metrics, recorded } = edge;
      const plain = createHttpEdge({ service: "test", log: recorded.log, metrics });
      const { remove } = routes;
      expect(() => plain.mount({ remove }, { remove: async () => undefined })).toThrow("identity");
    });
  });

  describe("answers", () => {
    it("carry no trace of the framework, no etag, and are not stored", async () => {
      const { headers } = await edge.call("GET", `/api/items/${newId()}`);
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("etag")).toBeNull();
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    });

    it("keep a sane request id and replace any other", async () => {
      const idOf = async (id: string) => {
        const answer = await edge.post("/api/echo", "{}", { ...json, "x-request-id": id });
        expect(answer.body["requestId"]).toBe(answer.headers.get("x-request-id"));
        return answer.headers.get("x-request-id");
      };
      await expect(idOf("abc-1.2_3:4")).resolves.toBe("abc-1.2_3:4");
      for (const bad of ["a b", "x".repeat(65), "<script>", '"']) {
        await expect(idOf(bad)).resolves.toMatch(/^[0-9a-f-]{36}$/);
      }
    });

    it("that break their contract are INTERNAL while validation is on", async () => {
      expect((await edge.fail({ answer: "wrong" })).status).toBe(500);
    });
  });

  describe("the record of a request", () => {
    it("is one line with the route's pattern, without values of the path or query, body or token", async () => {
      const id = newId();
      const userId = newId();
      const jwt = await edge.identity.jwtOf({ userId });
      const headers = { ...json, authorization: `Bearer ${jwt}`, "x-request-id": "r-77" };
      await edge.call("DELETE", `/api/items/${id}?q=findme`, { headers, body: '{"secret":"findme"}' });
      const access = edge.recorded.records().filter(({ msg }) => msg === "request");
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
      for (const hidden of [id, "findme", jwt]) expect(edge.recorded.lines.join("")).not.toContain(hidden);
    });

    it("is counted by operation and status", async () => {
      await edge.call("GET", "/api/unknown/path");
      await edge.call("PUT", "/api/items/special");
      const text = await edge.metrics.text();
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
