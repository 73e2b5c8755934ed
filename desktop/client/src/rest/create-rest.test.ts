import { describe, expect, it } from "@jest/globals";
import { moderationRoutes, serverRoutes, userRoutes } from "@hearth/contracts";
import { ClientProblem } from "@hearth/device";
import { createFakePlatform } from "../testing/fake-platform.ts";
import type { FakeAnswer } from "../testing/fake-network.ts";
import { createRest } from "./create-rest.ts";

const HOME = "http://home.example";
const TOKEN = "a".repeat(64);
const ID = "01900000-0000-7000-8000-000000000001";
const ACCOUNT = { id: ID, username: "anna", displayName: "Anna", createdAt: 1 };

function restUnderTest(
  answer: FakeAnswer = { status: 200, body: ACCOUNT },
  tokens: Record<string, string> = { [HOME]: TOKEN },
) {
  const platform = createFakePlatform();
  platform.network.answer(() => answer);
  const failures: unknown[] = [];
  const rest = createRest({
    platform,
    token: (url) => tokens[url] ?? null,
    onAuthFailure: (...failure) => failures.push(failure),
  });
  return { platform, rest, failures };
}

const problemOf = async (call: Promise<unknown>): Promise<ClientProblem> => {
  const error: unknown = await call.then(
    () => new Error("It succeeded"),
    (cause: unknown) => cause,
  );
  if (error instanceof ClientProblem) return error;
  throw error;
};

const failing = (status: number, body?: unknown, headers: Record<string, string> = {}) => {
  const it = restUnderTest({ status, body, headers });
  return { ...it, problem: problemOf(it.rest.call(HOME, userRoutes.me, {})) };
};

describe("REST calls", () => {
  it("are sent by the route and parsed by its schema", async () => {
    const { rest, platform } = restUnderTest({ status: 200, body: { items: [], nextCursor: null, more: 1 } });
    const query = { q: "tea & ü", limit: 5, cursor: undefined };
    expect(await rest.call(`${HOME}:80/`, serverRoutes.search, { query })).toEqual({
      items: [],
      nextCursor: null,
    });
    expect(platform.network.requests).toMatchObject([
      { method: "GET", url: `${HOME}/api/servers/search?q=tea+%26+%C3%BC&limit=5`, body: undefined },
    ]);
    expect(platform.network.requests[0]?.headers.has("content-type")).toBe(false);
  });

  it("encode params, and refuse those that would lead to another path", async () => {
    const { rest, platform } = restUnderTest({ status: 204 });
    await rest.call(HOME, userRoutes.deleteDeviceToken, { params: { userId: ID, deviceId: "a:b" } });
    expect(platform.network.requests.map(({ path }) => path)).toEqual([
      `/api/users/device-tokens/${ID}/a%3Ab`,
    ]);
    for (const code of ["..", ".", "a/../../b", ""]) {
      const problem = await problemOf(rest.call(HOME, moderationRoutes.getInvite, { params: { code } }));
      expect(problem).toMatchObject({ code: "INVALID_REQUEST", issues: [{ path: "code" }] });
    }
    expect(platform.network.requests).toHaveLength(1);
  });

  it("CL1 send the token only to its own instance, and only if the route needs it", async () => {
    const { rest, platform } = restUnderTest({ status: 500 });
    const authorization = async (url: string, call: Promise<unknown>): Promise<string | null> => {
      await call.catch(() => undefined);
      return (
        platform.network.requests.findLast(({ origin }) => origin === url)?.headers.get("authorization") ??
        null
      );
    };
    const other = "http://other.example";
    expect(await authorization(HOME, rest.call("HTTP://HOME.example", userRoutes.me, {}))).toBe(
      `Bearer ${TOKEN}`,
    );
    expect(await authorization(HOME, rest.call(HOME, serverRoutes.get, { params: { id: ID } }))).toBe(
      `Bearer ${TOKEN}`,
    );
    expect(await authorization(HOME, rest.call(HOME, serverRoutes.list, {}))).toBeNull();
    expect(await authorization(other, rest.call(other, serverRoutes.get, { params: { id: ID } }))).toBeNull();
    const sent = platform.network.requests.length;
    expect(await problemOf(rest.call(other, userRoutes.me, {}))).toMatchObject({ code: "NEEDS_SIGN_IN" });
    expect(platform.network.requests).toHaveLength(sent);
  });

  it("ER1 keep code, sentence, issues and request id of a problem", async () => {
    const errors = [
      { path: "username", message: "is too short" },
      null,
      { path: 1, message: "odd" },
      { path: "x" },
    ];
    const { problem } = failing(400, {
      code: "INVALID_REQUEST",
      detail: "Check it",
      errors,
      requestId: "r1",
    });
    expect(await problem).toMatchObject({
      code: "INVALID_REQUEST",
      message: "Check it",
      retryable: false,
      issues: [
        { path: "username", message: "is too short" },
        { path: "", message: "odd" },
      ],
      requestId: "r1",
    });
  });

  it.each([
    [{ "retry-after": "90" }, 90_000],
    [{ "retry-after": "soon" }, 30_000],
    [{}, null],
  ])("ER5 take the delay of a rate limit from the server: %j", async (headers, retryAfterMs) => {
    const { problem, failures } = failing(429, { code: "RATE_LIMITED" }, headers);
    expect(await problem).toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs });
    expect(failures).toEqual([]);
  });

  it.each([
    ["AUTH_INVALID", "revoked", "revoked"],
    ["AUTH_INVALID", "nonsense", "unknown"],
    ["AUTH_REQUIRED", undefined, "missing"],
  ])("CL3 report a refused token with its reason: %s %s", async (code, said, reason) => {
    const { problem, failures } = failing(401, { code, reason: said });
    expect(await problem).toMatchObject({ code, reason });
    expect(failures).toEqual([[HOME, TOKEN, reason]]);
  });

  it.each<[string, FakeAnswer, string]>([
    [
      "a page of a proxy",
      { status: 401, text: "<html>", headers: { "content-type": "text/html" } },
      "BAD_ANSWER",
    ],
    ["a code of another status", { status: 503, body: { code: "AUTH_INVALID" } }, "UNAVAILABLE"],
    ["a wrong password", { status: 401, body: { code: "INVALID_CREDENTIALS" } }, "INVALID_CREDENTIALS"],
    ["a code that nobody knows", { status: 401, body: { code: "NO_IDEA" } }, "BAD_ANSWER"],
    ["an error", { status: 500, text: "boom" }, "INTERNAL"],
    ["a gateway without a service", { status: 502 }, "UPSTREAM_UNREACHABLE"],
    ["a gateway that waited", { status: 504 }, "TIMEOUT"],
    ["no network", "no-network", "NO_ANSWER"],
    ["a shape that is not ours", { status: 200, body: { id: 7 } }, "BAD_ANSWER"],
    ["a page with a good status", { status: 200, text: "<html>" }, "BAD_ANSWER"],
  ])("ER6 CL3 do not report an authentication failure: %s", async (_what, answer, code) => {
    const { rest, failures } = restUnderTest(answer);
    expect(await problemOf(rest.call(HOME, userRoutes.me, {}))).toMatchObject({ code });
    expect(failures).toEqual([]);
  });

  it("CL3 without a token report no refused one", async () => {
    const { rest, failures } = restUnderTest({ status: 401, body: { code: "AUTH_REQUIRED" } }, {});
    expect(await problemOf(rest.call(HOME, serverRoutes.get, { params: { id: ID } }))).toMatchObject({
      code: "AUTH_REQUIRED",
    });
    expect(failures).toEqual([]);
  });

  it("end after 15 s without an answer", async () => {
    const { rest, platform, failures } = restUnderTest("never");
    const problem = problemOf(rest.call(HOME, userRoutes.me, {}));
    await platform.clock.advance(14_999);
    expect(platform.clock.waiting).toBe(1);
    await platform.clock.advance(1);
    expect(await problem).toMatchObject({ code: "NO_ANSWER", retryable: true });
    expect([platform.clock.waiting, failures]).toEqual([0, []]);
  });

  it("can be cancelled, which is not a problem of the instance", async () => {
    const { rest, platform } = restUnderTest("never");
    const off = new AbortController();
    const call = rest.call(HOME, userRoutes.me, { signal: off.signal });
    off.abort(new Error("gone"));
    await expect(call).rejects.toThrow("gone");
    await expect(rest.call(HOME, userRoutes.me, { signal: off.signal })).rejects.toThrow("gone");
    expect(platform.clock.waiting).toBe(0);
  });

  it("refuse an invalid URL without a request", async () => {
    const { rest, platform } = restUnderTest();
    for (const url of ["ftp://x", "http://user@home.example", "home.example", "http://home.example/path"])
      expect(await problemOf(rest.call(url, userRoutes.me, {}))).toMatchObject({
        code: "INVALID_SERVER_URL",
      });
    expect(platform.network.requests).toEqual([]);
  });

  it("read a response only up to its size limit", async () => {
    const { rest } = restUnderTest({ status: 200, text: `"${"x".repeat(9 * 1024 * 1024)}"` });
    expect(await problemOf(rest.call(HOME, userRoutes.me, {}))).toMatchObject({ code: "BAD_ANSWER" });
  });
});
