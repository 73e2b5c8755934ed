import { ERRORS, type Problem } from "@hearth/contracts";
import { describe, expect, it } from "@jest/globals";
import { call, expectOk, freshName, PASSWORD, register } from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { localLogin, localLogout, tryLogin } from "../../src/local-api/calls.ts";
import { giveTo } from "../../src/local-api/device-data.ts";
import { type RunningLocalApi, startLocalApi } from "../../src/local-api/process.ts";
import { serverForTests } from "../../src/server/for-tests.ts";
import { startServer } from "../../src/server/process.ts";

const server = serverForTests();
const sessionsOf = (token: string): Promise<readonly { readonly id: string }[]> =>
  expectOk(server.url, "GET", "/api/users/sessions", { token });

/** Runs a part of the suite with its own local API, because logins are limited per minute. */
const withLocalApi = async (
  args: readonly string[],
  run: (local: RunningLocalApi) => Promise<void>,
): Promise<void> => {
  const local = await startLocalApi({ args });
  try {
    await run(local);
  } finally {
    await local.stop();
    await local.cleanUp();
  }
};

const profile = (local: RunningLocalApi, token?: string) =>
  call(local.url, "GET", "/api/rooms", token === undefined ? {} : { token });

describe("logins checked by this repository's signaling server", () => {
  it("LA6 a login's token works for 24 h or until its logout, which ends no other token", async () => {
    const username = freshName("reader");
    const account = await register(server.url, username, "Reader");
    await withLocalApi(["--allow", server.url], async (local) => {
      expectProblem(await profile(local), "AUTH_REQUIRED");
      const first = await localLogin(local.url, server.url, username);
      const second = await localLogin(local.url, server.url, username);
      expect(first).toEqual({
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: expect.any(Number),
        user: { id: account.id, username, displayName: "Reader" },
      });
      expect(Math.abs(first.expiresAt - Date.now() - 86_400_000)).toBeLessThan(60_000);
      expect(await profile(local, first.token)).toMatchObject({ status: 200, body: [] });

      expect(await localLogout(local.url, first.token)).toMatchObject({ status: 204, body: null });
      expectProblem(await profile(local, first.token), "AUTH_INVALID");
      expectProblem(await localLogout(local.url, first.token), "AUTH_INVALID");
      expect(await profile(local, second.token)).toMatchObject({ status: 200 });
    });
  }, 60_000);

  it("LA5 a local login leaves no session behind on the signaling server", async () => {
    const username = freshName("guest");
    const { token } = await register(server.url, username);
    const before = await sessionsOf(token);
    await withLocalApi(["--allow", server.url], async (local) => {
      await localLogin(local.url, server.url, username);
      await localLogin(local.url, server.url, username);
      expectProblem(
        await tryLogin(local.url, { serverUrl: server.url, username, password: "not it at all" }),
        "INVALID_CREDENTIALS",
      );
    });
    expect(await sessionsOf(token)).toEqual(before.map(({ id }) => expect.objectContaining({ id })));
  }, 60_000);

  it("LA5 refusals follow the order of interface 7, and a server that is not allowed gets no request", async () => {
    const username = freshName("refused");
    await register(server.url, username);
    const login = { serverUrl: server.url, username, password: PASSWORD };
    await withLocalApi([], async ({ url }) => {
      expectProblem(await tryLogin(url, { ...login, password: "" }), "INVALID_REQUEST");
      expectProblem(await tryLogin(url, login), "NO_ALLOWED_SERVERS");
    });
    await withLocalApi(["--allow", "http://127.0.0.1:9"], async ({ url }) => {
      expectProblem(await tryLogin(url, { username }), "INVALID_REQUEST");
      expectProblem(await tryLogin(url, login), "SERVER_NOT_ALLOWED");
      expectProblem(
        await tryLogin(url, { ...login, serverUrl: "http://127.0.0.1:9" }),
        "UPSTREAM_UNREACHABLE",
      );
    });
    await withLocalApi(["--allow", server.url.toUpperCase()], async ({ url }) => {
      expectProblem(await tryLogin(url, { ...login, password: "wrong, surely" }), "INVALID_CREDENTIALS");
      const nobody = { ...login, username: freshName("nobody") };
      expectProblem(await tryLogin(url, nobody), "INVALID_CREDENTIALS");
      expect(await tryLogin(url, { ...login, serverUrl: `${server.url}/` })).toMatchObject({ status: 200 });
    });
  }, 60_000);

  it("LA6 a token of one server does not work on the other", async () => {
    const username = freshName("two-tokens");
    const session = await register(server.url, username);
    await withLocalApi(["--allow", server.url], async (local) => {
      const { token } = await localLogin(local.url, server.url, username);
      expectProblem(await profile(local, session.token), "AUTH_INVALID");
      expectProblem(await call(server.url, "GET", "/api/users/me", { token }), "AUTH_INVALID");
    });
  }, 60_000);

  it("LA6 the eleventh login in a minute from one address is refused with Retry-After", async () => {
    const username = freshName("hasty");
    await register(server.url, username);
    await withLocalApi(["--allow", server.url], async (local) => {
      for (let attempt = 0; attempt < 10; attempt += 1) await localLogin(local.url, server.url, username);
      const body = { serverUrl: server.url, username, password: PASSWORD };
      expectProblem(await tryLogin(local.url, body), "RATE_LIMITED");
    });
  }, 60_000);

  it("LA7 a device with accounts admits only those", async () => {
    const owner = await register(server.url, freshName("owner"));
    const stranger = await register(server.url, freshName("stranger"));
    const local = await startLocalApi({ args: ["--sample", "--allow", server.url] });
    try {
      const body = { serverUrl: server.url, password: PASSWORD };
      expectProblem(
        await tryLogin(local.url, { ...body, username: owner.username }),
        "ACCOUNT_NOT_ON_DEVICE",
      );
      giveTo(local.dataDir, { serverUrl: server.url, userId: owner.id });
      expect(await tryLogin(local.url, { ...body, username: owner.username })).toMatchObject({ status: 200 });
      expectProblem(
        await tryLogin(local.url, { ...body, username: stranger.username }),
        "ACCOUNT_NOT_ON_DEVICE",
      );
    } finally {
      await local.stop();
      await local.cleanUp();
    }
  }, 60_000);

  it("LA6 tokens end with the process, even when the next one has the same data and port", async () => {
    const username = freshName("again");
    await register(server.url, username);
    const first = await startLocalApi({ args: ["--allow", server.url] });
    const { token } = await localLogin(first.url, server.url, username);
    expect(await profile(first, token)).toMatchObject({ status: 200 });
    expect(await first.stop()).toBe(0);
    const { dataDir } = first;
    const args = ["--allow", server.url];
    const next = await startLocalApi({ args, dataDir, port: Number(new URL(first.url).port) });
    try {
      expectProblem(await profile(next, token), "AUTH_INVALID");
    } finally {
      await next.stop();
      await next.cleanUp();
    }
  }, 60_000);
});

describe("a signaling server in trouble", () => {
  it("LA5 a login is UPSTREAM_UNREACHABLE while it is down, and works again when it is back", async () => {
    const upstream = await startServer();
    const { port } = new URL(upstream.url);
    const username = freshName("patient");
    await register(upstream.url, username);
    await withLocalApi(["--allow", upstream.url], async (local) => {
      const { token } = await localLogin(local.url, upstream.url, username);
      await upstream.stop();
      const body = { serverUrl: upstream.url, username, password: PASSWORD };
      expectProblem(await tryLogin(local.url, body), "UPSTREAM_UNREACHABLE");
      // Tokens stay valid: reading needs no other server.
      expect(await profile(local, token)).toMatchObject({ status: 200 });
      const back = await startServer({ dataDir: upstream.dataDir, env: { PORT: port } });
      await localLogin(local.url, back.url, username);
      await back.stop();
    });
    await upstream.cleanUp();
  }, 60_000);

  it("LA5 its 429 is passed on with Retry-After", async () => {
    const upstream = await startServer();
    const username = freshName("throttled");
    await register(upstream.url, username);
    let refused = await call(upstream.url, "GET", "/api/health");
    for (let count = 0; refused.status !== 429 && count < 110; count += 1) {
      const body = { username, password: PASSWORD };
      refused = await call(upstream.url, "POST", "/api/users/login", { body });
    }
    expect(refused.status).toBe(429);
    await withLocalApi(["--allow", upstream.url], async (local) => {
      const body = { serverUrl: upstream.url, username, password: PASSWORD };
      const answer = await tryLogin(local.url, body);
      expect(answer.status).toBe(ERRORS.UPSTREAM_RATE_LIMITED.status);
      expect((answer.body as Problem).code).toBe("UPSTREAM_RATE_LIMITED");
      const [mine, theirs] = [answer.headers, refused.headers].map((headers) =>
        Number(headers.get("retry-after")),
      );
      expect(mine).toBeGreaterThan(0);
      expect(Math.abs(Number(mine) - Number(theirs))).toBeLessThanOrEqual(5);
    });
    await upstream.stop();
    await upstream.cleanUp();
  }, 90_000);
});

describe("the log", () => {
  it("LA6 contains neither passwords nor tokens", async () => {
    const username = freshName("secretive");
    const password = `marker-${username}-password`;
    await expectOk(server.url, "POST", "/api/users/register", { body: { username, password } });
    const local = await startLocalApi({ args: ["--allow", server.url], env: { LOG_LEVEL: "debug" } });
    const { token } = await localLogin(local.url, server.url, username, password);
    await profile(local, token);
    await tryLogin(local.url, { serverUrl: server.url, username, password: `${password}-wrong` });
    await local.stop();
    expect(local.output()).toContain("local token issued");
    expect(local.output()).not.toContain(password);
    expect(local.output()).not.toContain(token);
    await local.cleanUp();
  }, 60_000);
});
