import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { json, startEdge } from "./testing/edge-under-test.ts";
import type { EdgeUnderTest } from "./testing/edge-under-test.ts";

describe("bodies at the HTTP edge", () => {
  let edge: EdgeUnderTest;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.close());

  it("GW7 takes JSON objects up to 256 KiB", async () => {
    const overhead = '{"name":""}'.length;
    const fits = `{"name":"${"x".repeat(LIMITS.httpBodyBytes - overhead)}"}`;
    expect((await edge.post("/api/echo", fits)).status).toBe(200);
    const answer = await edge.post("/api/echo", fits.replace("x", "xx"));
    expect([answer.status, answer.body["code"]]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it("GW7 refuses a chunked body as soon as it is past the limit", async () => {
    const body = new ReadableStream({
      start(stream) {
        for (let n = 0; n < 5; n++) stream.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        stream.close();
      },
    });
    const init = { body, headers: json, duplex: "half" } as const;
    expect((await edge.call("POST", "/api/echo", init)).status).toBe(413);
  });

  it.each([
    ["text", "text/plain", "{}"],
    ["a form", "application/x-www-form-urlencoded", "a=1"],
    ["another charset", "application/json; charset=koi8-r", "{}"],
    ["no type", "", "{}"],
  ])("GW7 answers 415 to %s", async (_name, type, text) => {
    const answer = await edge.post("/api/echo", Buffer.from(text), type ? { "content-type": type } : {});
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
    const answer = await edge.post("/api/echo", body);
    expect([answer.status, answer.body["code"]]).toEqual([400, "INVALID_REQUEST"]);
  });

  it("takes the deepest allowed nesting, and brackets within strings", async () => {
    const deep = `{"deep":${"[".repeat(31)}${"]".repeat(31)}}`;
    expect((await edge.post("/api/echo", deep)).status).toBe(200);
    expect((await edge.post("/api/echo", `{"deep":"${"[".repeat(100)}\\"${"{".repeat(100)}"}`)).status).toBe(
      200,
    );
  });

  it.each(["application/json; charset=UTF-8", 'application/json;charset="utf-8"', "application/merge+json"])(
    "takes %s",
    async (type) => {
      expect((await edge.post("/api/echo", '{"name":"hi"}', { "content-type": type })).status).toBe(200);
    },
  );

  it.each(["gzip", "deflate", "br", "zstd", "gzip, identity", "x"])(
    "AB1 answers 415 to %s, whatever it holds, and decodes nothing",
    async (encoding) => {
      const headers = { ...json, "content-encoding": encoding };
      for (const body of [gzipSync('{"name":"hi"}'), "garbage", '{"name":"hi"}']) {
        const answer = await edge.post("/api/echo", body, headers);
        expect([answer.status, answer.body["code"]]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      }
    },
  );

  it("AB1 takes identity, and an encoding of no body", async () => {
    const identity = { ...json, "content-encoding": "Identity" };
    expect((await edge.post("/api/echo", '{"name":"hi"}', identity)).status).toBe(200);
    expect((await edge.post("/api/echo", "", { "content-encoding": "br" })).status).toBe(200);
  });

  it("treats a missing body as an empty object", async () => {
    expect((await edge.call("POST", "/api/echo")).body["body"]).toEqual({});
  });

  it("does not let a body reach the prototype", async () => {
    const answer = await edge.post("/api/echo", '{"__proto__":{"polluted":true}}');
    expect(answer.status).toBe(400);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
