import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LIMITS, ProblemError, authSubjects, healthSubject } from "@hearth/contracts";
import { INTERNAL_AUDIENCE, INTERNAL_ISSUER, createMemoryBus, silentLog } from "@hearth/runtime";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { YEAR_MS, refusalOf, startAuth, testConfig } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";
import { createSqliteAuthStore } from "../../store/sqlite/store.sqlite.ts";
import type { AuthStore } from "../store.ts";

/** Counts how often the store is asked anything, and can be away. */
function watchedStore() {
  const store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
  const state = { calls: [] as string[], away: new Set<string>() };
  const watched = new Proxy<AuthStore>(store, {
    get: (target, key: string) => {
      const method = Reflect.get(target, key) as (...args: unknown[]) => unknown;
      if (key === "ready") return () => state.away.size === 0;
      return async (...args: unknown[]) => {
        state.calls.push(key);
        if (state.away.has(key) || state.away.has("*")) throw new ProblemError("UNAVAILABLE");
        return method.apply(target, args);
      };
    },
  });
  return { store: watched, state };
}

let auth: RunningAuth;
let state: ReturnType<typeof watchedStore>["state"];
beforeEach(async () => {
  const watched = watchedStore();
  state = watched.state;
  auth = await startAuth({ store: watched.store });
});
afterEach(() => auth.stop());

const verify = (token: string) => auth.bus.request(authSubjects.verify, { token });
const exchange = (token: string) => auth.bus.request(authSubjects.exchange, { token });
const keySet = async () => auth.bus.request(authSubjects.keys, {});

const verified = async (jwt: string) =>
  jwtVerify(jwt, createLocalJWKSet({ keys: (await keySet()).keys.map((key) => ({ ...key })) }), {
    algorithms: ["EdDSA"],
    issuer: INTERNAL_ISSUER,
    audience: INTERNAL_AUDIENCE,
    currentDate: new Date(auth.clock.now()),
  });

describe("verifying a token", () => {
  it("AU4 a token verifies as its account and session, by one read of the store", async () => {
    const { id, token, expiresAt } = await auth.register("Ada", { body: { displayName: "Lady A." } });
    state.calls = [];
    expect(await verify(token)).toEqual({
      userId: id,
      username: "Ada",
      displayName: "Lady A.",
      sessionId: expect.any(String),
      expiresAt,
    });
    expect(state.calls.filter((call) => call !== "expireSessions" && call !== "unannounced")).toEqual([
      "findSession",
    ]);
  });

  it("AU4 text that cannot be a token is refused without a read of the store (R17, R18)", async () => {
    const { token } = await auth.register("ada");
    state.calls = [];
    const bad = [
      "",
      token.slice(1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase().replace(/^\d*$/, "A"),
      `${token.slice(0, 63)}g`,
      "' OR 1=1 --".padEnd(64, "0"),
    ];
    for (const text of bad) {
      expect(await refusalOf(verify(text))).toBe("AUTH_INVALID unknown");
      expect(await refusalOf(exchange(text))).toBe("AUTH_INVALID unknown");
    }
    expect(state.calls).not.toContain("findSession");
    expect(await refusalOf(verify("0".repeat(64)))).toBe("AUTH_INVALID unknown");
    expect(state.calls).toContain("findSession");
  });

  it("ER6 while the store is away the answer is UNAVAILABLE, and the token is valid afterwards", async () => {
    const { token } = await auth.register("ada");
    const jwt = await auth.jwtOf(token);
    state.away.add("*");
    expect(await refusalOf(verify(token))).toBe("UNAVAILABLE");
    expect(await refusalOf(exchange(token))).toBe("UNAVAILABLE");
    expect(await auth.bus.request(healthSubject("auth"), {})).toEqual({ ready: false });
    const answers = [
      await auth.send("GET", "/api/users/me", { jwt }),
      await auth.send("POST", "/api/users/logout", { jwt }),
      await auth.login("ada"),
      await auth.login("nobody"),
      await auth.send("POST", "/api/users/register", { body: { username: "new", password: "long enough" } }),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      answers.map(() => "503 UNAVAILABLE"),
    );
    state.away.clear();
    expect(await verify(token)).toMatchObject({ username: "ada" });
    expect((await auth.login("ada")).status).toBe(200);
    expect(await auth.bus.request(healthSubject("auth"), {})).toEqual({ ready: true });
  });

  it("ER6 a note of use that cannot be written does not invalidate the token", async () => {
    const { token } = await auth.register("ada");
    state.away.add("noteUses");
    auth.clock.advance(3_600_000);
    expect(await verify(token)).toMatchObject({ username: "ada" });
    expect((await auth.send("GET", "/api/users/sessions", { token })).status).toBe(200);
  });
});

describe("the internal JWT", () => {
  it("GW2 an exchange answers the session and a JWT of 60 s, signed with a published key", async () => {
    const { id, token } = await auth.register("Ada", { body: { displayName: "Lady A." } });
    const { session, jwt, jwtExpiresAt } = await exchange(token);
    expect(session).toEqual(await verify(token));
    expect(jwtExpiresAt).toBe(auth.clock.now() + LIMITS.internalJwtMs);
    const { payload, protectedHeader } = await verified(jwt);
    expect(protectedHeader).toMatchObject({ alg: "EdDSA", kid: expect.any(String) });
    expect(payload).toEqual({
      iss: INTERNAL_ISSUER,
      aud: INTERNAL_AUDIENCE,
      sub: id,
      sid: session.sessionId,
      jti: expect.any(String),
      name: "Lady A.",
      preferred_username: "Ada",
      iat: Math.floor(auth.clock.now() / 1000),
      exp: jwtExpiresAt / 1000,
    });
    expect(jwt).not.toContain(token);
    expect(decodeJwt((await exchange(token)).jwt).jti).not.toBe(payload.jti);
  });

  it("GW2 a JWT never outlives its session", async () => {
    const { token, expiresAt } = await auth.register("ada");
    auth.clock.advance(10 * YEAR_MS - 7_001);
    const { jwt, jwtExpiresAt } = await exchange(token);
    expect(jwtExpiresAt).toBe(expiresAt);
    expect((await verified(jwt)).payload.exp).toBe(expiresAt / 1000);
  });

  it("GW2 the key set holds public halves only", async () => {
    await exchange((await auth.register("ada")).token);
    const { keys } = await keySet();
    expect(keys).toEqual([
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        alg: "EdDSA",
        use: "sig",
      },
    ]);
  });

  it("GW2 a key signs for a day; its successor is published before it signs, and both verify meanwhile", async () => {
    const { token } = await auth.register("ada");
    const kidOf = async () => decodeProtectedHeader((await exchange(token)).jwt).kid;
    const first = await kidOf();
    auth.clock.advance(24 * 3_600_000 - 1);
    expect(await kidOf()).toBe(first);
    auth.clock.advance(1);
    const last = (await exchange(token)).jwt;
    expect(decodeProtectedHeader(last).kid).toBe(first);
    for (let tries = 0; (await keySet()).keys.length < 2 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const published = (await keySet()).keys.map(({ kid }) => kid);
    expect(published).toHaveLength(2);
    auth.clock.advance(60_000 - 1);
    expect(await kidOf()).toBe(first);
    await verified(last);
    auth.clock.advance(1);
    const second = await kidOf();
    expect(second).not.toBe(first);
    expect(published).toContain(second);
    auth.clock.advance(24 * 3_600_000);
    expect((await keySet()).keys.map(({ kid }) => kid)).not.toContain(first);
  });

  it("GW2 after days without requests the next JWT is signed with a key in the set (F19)", async () => {
    const { token } = await auth.register("ada");
    await exchange(token);
    auth.clock.advance(10 * 24 * 3_600_000);
    await verified((await exchange(token)).jwt);
  });

  it("ER6 a key that cannot be rotated keeps signing while it is published", async () => {
    const { token } = await auth.register("ada");
    const kid = decodeProtectedHeader((await exchange(token)).jwt).kid;
    state.away.add("addSigningKey");
    auth.clock.advance(30 * 3_600_000);
    expect(decodeProtectedHeader((await exchange(token)).jwt).kid).toBe(kid);
    auth.clock.advance(30 * 3_600_000);
    expect(await refusalOf(exchange(token))).toBe("UNAVAILABLE");
  });

  it("GW2 replicas sign with their own keys, and each answers with the keys of all", async () => {
    const store = createSqliteAuthStore({ file: ":memory:", log: silentLog });
    const one = await startAuth({ store });
    const two = await startAuth({ store, bus: createMemoryBus({ log: silentLog }), clock: one.clock });
    const { token } = await one.register("ada");
    const jwts = [await one.jwtOf(token), await two.jwtOf(token)];
    const kids = jwts.map((jwt) => decodeProtectedHeader(jwt).kid);
    expect(new Set(kids).size).toBe(2);
    for (const replica of [one, two]) {
      const { keys } = await replica.bus.request(authSubjects.keys, {});
      expect(keys.map(({ kid }) => kid).sort()).toEqual([...kids].sort());
      for (const jwt of jwts) expect((await replica.send("GET", "/api/users/me", { jwt })).status).toBe(200);
    }
    await one.stop();
    await two.stop();
  });

  it("GW2 a JWT of another issuer, without an algorithm, or expired is 401", async () => {
    const { token } = await auth.register("ada");
    const foreign = await startAuth();
    const forged = await foreign.jwtOf((await foreign.register("ada")).token);
    const good = await auth.jwtOf(token);
    const [header = "", payload = "", signature = ""] = good.split(".");
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
    const elsewhere = Buffer.from(JSON.stringify({ ...decodeJwt(good), sub: "somebody-else" })).toString(
      "base64url",
    );
    const bad = [forged, `${none}.${payload}.`, `${header}.${elsewhere}.${signature}`, token, "x"];
    for (const jwt of bad)
      expect(await auth.send("GET", "/api/users/me", { jwt })).toMatchObject({
        status: 401,
        body: { code: "AUTH_INVALID" },
      });
    auth.clock.advance(LIMITS.internalJwtMs + 60_000);
    expect((await auth.send("GET", "/api/users/me", { jwt: good })).status).toBe(401);
    await foreign.stop();
  });

  it("GW2 a session in its last moment is expired instead of getting a JWT without duration", async () => {
    const short = await startAuth({ config: { ...testConfig, sessionTtlMs: 1000 } });
    const { token } = await short.register("ada");
    short.clock.advance(1000);
    expect(await refusalOf(short.jwtOf(token))).toBe("AUTH_INVALID expired");
    await short.stop();
  });
});
