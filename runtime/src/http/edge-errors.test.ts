import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { ERRORS } from "@hearth/contracts";
import type { ErrorCode } from "@hearth/contracts";
import { newId } from "../context/ids.ts";
import { QUOTA, startEdge } from "./testing/edge-under-test.ts";
import type { EdgeUnderTest } from "./testing/edge-under-test.ts";

describe("errors of the HTTP edge", () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    edge.trouble.keysUnavailable = false;
    edge.recorded.lines.length = 0;
  });

  it("ER1 answers problem+json with every member, and the same request id in body and header", async () => {
    const { status, headers, body } = await edge.fail({ code: "CONFLICT" });
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
    const { status, body, text } = await edge.post("/api/echo", '{"name":"X","password":"hunter2"}');
    expect(status).toBe(400);
    expect(body["errors"]).toEqual([
      { path: "name", message: expect.any(String) },
      { path: "password", message: "Unknown field" },
    ]);
    expect(text).not.toContain("hunter2");
  });

  it("ER1 hides the text of an unexpected error, and logs it with its stack", async () => {
    const { status, body, text } = await edge.fail({ code: "nothing we know" });
    expect(status).toBe(500);
    expect(body["code"]).toBe("INTERNAL");
    expect(text).not.toMatch(/SQLITE|\/var|token|stack|edge-errors\.test/);
    const logged = edge.recorded.records().find(({ msg }) => msg === "unexpected error");
    expect(logged).toMatchObject({ operation: "fail", requestId: body["requestId"] });
    expect(JSON.stringify(logged)).toContain("SQLITE_ERROR");
    expect(JSON.stringify(logged)).toContain("edge-under-test.ts");
  });

  it("keep details beside the standard members, which they cannot replace", async () => {
    const details = { ownerClientInstanceId: "c-1", status: 200, requestId: "forged" };
    const { status, body } = await edge.fail({ code: "VOICE_NOT_OWNER", details });
    expect(status).toBe(409);
    expect(body).toMatchObject({ ownerClientInstanceId: "c-1", status: 409 });
    expect(body["requestId"]).not.toBe("forged");
  });

  it.each(Object.keys(ERRORS))("ER3 answers %s with the status of the closed list", async (code) => {
    const { status, body } = await edge.fail({ code });
    expect(status).toBe(ERRORS[code as ErrorCode].status);
    expect(body).toMatchObject({ code, status });
  });

  it("ER3 gives the reason for a refused credential in `reason`", async () => {
    const { body } = await edge.fail({ code: "AUTH_INVALID", reason: "revoked" });
    expect(body["reason"]).toBe("revoked");
  });

  it("ER4 challenges with Bearer, and with invalid_token only when a token was presented", async () => {
    const challenge = async (headers: Record<string, string>) => {
      const answer = await edge.call("DELETE", `/api/items/${newId()}`, { headers });
      expect(answer.status).toBe(401);
      return [answer.headers.get("www-authenticate"), answer.body["code"]];
    };
    await expect(challenge({})).resolves.toEqual(["Bearer", "AUTH_REQUIRED"]);
    await expect(challenge({ authorization: "Basic YTpi" })).resolves.toEqual(["Bearer", "AUTH_REQUIRED"]);
    const invalid = ['Bearer error="invalid_token"', "AUTH_INVALID"];
    await expect(challenge({ authorization: "Bearer nonsense" })).resolves.toEqual(invalid);
    await expect(challenge({ authorization: "Bearer" })).resolves.toEqual(invalid);
    expect((await edge.fail({ code: "INVALID_CREDENTIALS" })).headers.get("www-authenticate")).toBe("Bearer");
    expect((await edge.fail({ code: "FORBIDDEN" })).headers.get("www-authenticate")).toBeNull();
  });

  it("ER5 answers 429 with Retry-After, both RateLimit fields and the X-RateLimit trio", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { status, headers } = await edge.fail({
      code: "RATE_LIMITED",
      retryAfterMs: 309_001,
      quota: QUOTA,
    });
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
    expect((await edge.fail({ code: "RATE_LIMITED" })).headers.get("retry-after")).toBe("1");
    const { status, headers } = await edge.call("GET", `/api/items/${newId()}`);
    expect([status, headers.get("ratelimit")]).toEqual([200, '"auth";r=7;t=310']);
  });

  it("ER6 answers 503, never 401, while identities cannot be verified", async () => {
    edge.trouble.keysUnavailable = true;
    const headers = await edge.identity.headersOf();
    for (const [method, path] of [
      ["DELETE", `/api/items/${newId()}`],
      ["GET", "/api/maybe"],
    ] as const) {
      const answer = await edge.call(method, path, { headers });
      expect([answer.status, answer.body["code"]]).toEqual([503, "UNAVAILABLE"]);
      expect(answer.headers.get("www-authenticate")).toBeNull();
    }
  });

  it("ER6 reports trouble with the bus as 503 and 504, with Retry-After where it is known", async () => {
    const unavailable = await edge.fail({ code: "UNAVAILABLE", retryAfterMs: 1_200 });
    expect([unavailable.status, unavailable.headers.get("retry-after")]).toEqual([503, "2"]);
    expect((await edge.fail({ code: "TIMEOUT" })).status).toBe(504);
  });
});
