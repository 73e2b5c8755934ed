import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, sessionInfoSchema } from "@hearth/contracts";
import type { SessionInfo } from "@hearth/contracts";
import { createMemoryBus, sha256Hex, silentLog } from "@hearth/runtime";
import type { Bus } from "@hearth/runtime";
import { manualClock } from "@hearth/runtime/testing";
import { PASSWORD, YEAR_MS, refusalOf, settled, startAuth, testConfig } from "./auth.fixture.ts";
import type { RunningAuth } from "./auth.fixture.ts";
import { createSqliteAuthStore } from "./store.sqlite.ts";

let auth: RunningAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const verify = (token: string, deviceName?: string) =>
  auth.bus.request(authSubjects.verify, { token, ...(deviceName !== undefined && { deviceName }) });
const stateOf = (token: string): Promise<string> => refusalOf(verify(token));
const listSessions = async (token: string): Promise<SessionInfo[]> => {
  const { body } = await auth.send<SessionInfo[]>("GET", "/api/users/sessions", { token });
  return body.map((row) => sessionInfoSchema.parse(row));
};
/** The sweep runs by itself; this waits until it has told of so many ends. */
const untilEnded = async (count: number): Promise<void> => {
  for (let tries = 0; auth.ended.length < count && tries < 200; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(auth.ended).toHaveLength(count);
};

describe("session tokens", () => {
  it("AU4 a token is 64 hex characters, made anew each time, and the earlier ones stay good", async () => {
    const tokens = [(await auth.register("ada")).token];
    for (let n = 0; n < 5; n += 1) tokens.push((await auth.login("ada")).body.token);
    expect(new Set(tokens).size).toBe(6);
    for (const token of tokens) {
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(await stateOf(token)).toBe("good");
    }
  });

  it("AU4 only the SHA-256 of a token is stored, and no password anywhere (S7)", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "hearth-auth-"));
    const store = createSqliteAuthStore({ file: path.join(folder, "auth.db"), log: silentLog });
    const other = await startAuth({ store });
    const { token } = await other.register("ada");
    await other.login("ada");
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(path.join(folder, name), "latin1")),
    );
    const stored = files.join("");
    expect(stored).toContain(sha256Hex(token));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token, "hex").toString("latin1"));
    expect(stored).not.toContain(PASSWORD);
    await other.stop();
    await rm(folder, { recursive: true });
  });

  it("AU4 a session of ten years does not end in two milliseconds (a timer would)", async () => {
    const { token, expiresAt } = await auth.register("ada");
    expect(expiresAt - auth.clock.now()).toBe(10 * YEAR_MS);
    auth.clock.advance(10 * YEAR_MS - 1);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(auth.ended).toEqual([]);
    expect(await verify(token)).toMatchObject({ expiresAt });
  });

  it("AU4 a token lives as long as it is configured, to the millisecond", async () => {
    const short = await startAuth({ config: { ...testConfig, sessionTtlMs: 5000 }, clock: auth.clock });
    const { token, expiresAt } = await short.register("ada");
    expect(expiresAt).toBe(auth.clock.now() + 5000);
    auth.clock.advance(4999);
    await short.bus.request(authSubjects.verify, { token });
    auth.clock.advance(1);
    await expect(short.bus.request(authSubjects.verify, { token })).rejects.toMatchObject({
      code: "AUTH_INVALID",
      extras: { reason: "expired" },
    });
    await short.stop();
  });
});

describe("the session list", () => {
  it("AU5 lists the account's sessions, the presented one first, with where they come from", async () => {
    const first = await auth.register("ada", { from: "198.51.100.7", body: { deviceName: "old phone" } });
    auth.clock.advance(1000);
    const second = (await auth.login("ada", PASSWORD, { from: "2001:db8::1" })).body;
    await auth.register("bob");
    const rows = await listSessions(first.token);
    const start = auth.clock.now();
    expect(rows.map(({ id: _id, ...row }) => row)).toEqual([
      {
        current: true,
        createdAt: start - 1000,
        lastUsedAt: start - 1000,
        expiresAt: first.expiresAt,
        ip: "198.51.100.7",
        userAgent: "a test",
        deviceName: "old phone",
      },
      {
        current: false,
        createdAt: start,
        lastUsedAt: start,
        expiresAt: second.expiresAt,
        ip: "2001:db8::1",
        userAgent: "a test",
        deviceName: null,
      },
    ]);
  });

  it("AU5 remembers the device name of identify, and the last use at most every 5 minutes", async () => {
    const { token } = await auth.register("ada");
    const start = auth.clock.now();
    auth.clock.advance(60_000);
    await verify(token, "laptop");
    expect((await listSessions(token))[0]).toMatchObject({
      deviceName: "laptop",
      lastUsedAt: start + 60_000,
    });
    auth.clock.advance(299_999);
    await verify(token, "laptop");
    expect((await listSessions(token))[0]).toMatchObject({ lastUsedAt: start + 60_000 });
    auth.clock.advance(1);
    await verify(token);
    expect((await listSessions(token))[0]).toMatchObject({
      deviceName: "laptop",
      lastUsedAt: start + 360_000,
    });
  });

  it("AU5 a device name that could not be shown is left out, and the token is good nonetheless", async () => {
    const { token } = await auth.register("ada", { body: { deviceName: "phone" } });
    for (const name of ["", "x".repeat(65), "a\nb", "\u202eevil"]) await verify(token, name);
    expect((await listSessions(token))[0]).toMatchObject({ deviceName: "phone" });
  });

  it("AU5 ends one session of the account, and knows no other", async () => {
    const { token } = await auth.register("ada");
    const other = (await auth.login("ada")).body.token;
    const stranger = await auth.register("bob");
    const end = (id: string) => auth.send("DELETE", `/api/users/sessions/${id}`, { token });
    expect((await end(await auth.sessionOf(stranger.token))).status).toBe(404);
    const otherId = await auth.sessionOf(other);
    expect((await end(otherId)).status).toBe(204);
    expect(await end(otherId)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await stateOf(other)).toBe("AUTH_INVALID revoked");
    expect(await stateOf(stranger.token)).toBe("good");
    expect(await listSessions(token)).toHaveLength(1);
    expect((await end("not-an-id")).status).toBe(400);
  });

  it("AU5 ends all but this one, and only with the password", async () => {
    const { token } = await auth.register("ada");
    const others = [(await auth.login("ada")).body.token, (await auth.login("ada")).body.token];
    const stranger = await auth.register("bob");
    const end = (currentPassword: string) =>
      auth.send("DELETE", "/api/users/sessions", { token, body: { currentPassword } });
    expect(await end("wrong password")).toMatchObject({ status: 401, body: { code: "INVALID_CREDENTIALS" } });
    expect((await auth.send("DELETE", "/api/users/sessions", { token })).status).toBe(400);
    expect(await listSessions(token)).toHaveLength(3);
    expect((await end(PASSWORD)).status).toBe(204);
    for (const other of others) expect(await stateOf(other)).toBe("AUTH_INVALID revoked");
    expect(await stateOf(token)).toBe("good");
    expect(await stateOf(stranger.token)).toBe("good");
  });
});

describe("the end of a session", () => {
  it("AU6 logout ends exactly the presented session and tells everybody, before it answers", async () => {
    const { id, token } = await auth.register("ada");
    const sibling = (await auth.login("ada")).body.token;
    const sessionId = await auth.sessionOf(token);
    expect((await auth.send("POST", "/api/users/logout", { token })).status).toBe(204);
    expect(auth.ended).toEqual([{ sessionId, userId: id, reason: "revoked" }]);
    expect(await stateOf(token)).toBe("AUTH_INVALID revoked");
    expect(await stateOf(sibling)).toBe("good");
  });

  it("AU6 a second logout is 401, and the other tokens live (R23)", async () => {
    const { token } = await auth.register("ada");
    const sibling = (await auth.login("ada")).body.token;
    const jwt = await auth.jwtOf(token);
    expect((await auth.send("POST", "/api/users/logout", { jwt })).status).toBe(204);
    const again = await auth.send("POST", "/api/users/logout", { jwt });
    expect(again).toMatchObject({ status: 401, body: { code: "AUTH_INVALID", reason: "revoked" } });
    expect(again.headers.get("www-authenticate")).toContain('error="invalid_token"');
    expect(await stateOf(sibling)).toBe("good");
  });

  it("AU6 a JWT made before the end opens nothing after it, on any route", async () => {
    const { id, token } = await auth.register("ada");
    const jwt = await auth.jwtOf(token);
    await auth.send("POST", "/api/users/logout", { token });
    const device = `/api/users/device-tokens/${id}/phone`;
    const passwords = { currentPassword: PASSWORD, newPassword: "battery staple" };
    const requests = [
      ["GET", "/api/users/me", undefined],
      ["PATCH", "/api/users/me", { displayName: "x" }],
      ["POST", "/api/users/password", passwords],
      ["GET", "/api/users/sessions", undefined],
      ["DELETE", "/api/users/sessions", { currentPassword: PASSWORD }],
      ["DELETE", `/api/users/sessions/${id}`, undefined],
      ["GET", `/api/users/device-tokens/${id}`, undefined],
      ["PUT", device, { platform: "ios", token: "t" }],
      ["DELETE", device, undefined],
    ] as const;
    for (const [method, route, body] of requests) {
      const answer = await auth.send(method, route, { jwt, ...(body && { body }) });
      expect(`${method} ${route}: ${answer.status} ${answer.body.reason}`).toBe(
        `${method} ${route}: 401 revoked`,
      );
    }
    expect((await auth.login("ada")).status).toBe(200);
  });

  it("AU6 a session that reaches its end is told as expired by itself, its siblings are not", async () => {
    const { id, token } = await auth.register("ada");
    const sessionId = await auth.sessionOf(token);
    auth.clock.advance(1000);
    const sibling = (await auth.login("ada")).body.token;
    auth.clock.advance(10 * YEAR_MS - 1000);
    await untilEnded(1);
    expect(auth.ended).toEqual([{ sessionId, userId: id, reason: "expired" }]);
    expect(await stateOf(token)).toBe("AUTH_INVALID expired");
    expect(await stateOf(sibling)).toBe("good");
  });

  it("AU6 a clock that is set back does not revive what has expired (F19)", async () => {
    const { token } = await auth.register("ada");
    auth.clock.advance(10 * YEAR_MS);
    await untilEnded(1);
    auth.clock.advance(-3_600_000);
    expect(await stateOf(token)).toBe("AUTH_INVALID expired");
  });

  it("AU6 an end that the bus did not take is told as soon as it does, and the answer does not hide it", async () => {
    const working = createMemoryBus({ log: silentLog });
    let away = true;
    const publish: Bus["publish"] = (subject, payload) =>
      away ? Promise.reject(new Error("away")) : working.publish(subject, payload);
    const bus = new Proxy(working, {
      get: (target, key) => {
        if (key === "publish") return publish;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const flaky = await startAuth({ bus });
    const { token } = await flaky.register("ada");
    const sessionId = await flaky.sessionOf(token);
    expect((await flaky.send("POST", "/api/users/logout", { token })).status).toBe(204);
    await expect(flaky.jwtOf(token)).rejects.toMatchObject({ code: "AUTH_INVALID" });
    expect(flaky.ended).toEqual([]);
    away = false;
    for (let tries = 0; flaky.ended.length === 0 && tries < 100; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(flaky.ended.map((ended) => ended.sessionId)).toEqual([sessionId]);
    await flaky.stop();
  });

  it("AU6 an end that a crash kept from being told is told by the next start", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "hearth-auth-"));
    const open = () => createSqliteAuthStore({ file: path.join(folder, "auth.db"), log: silentLog });
    const before = await startAuth({ store: open() });
    const { id, token } = await before.register("ada");
    const sessionId = await before.sessionOf(token);
    await before.store.endSession(sessionId, id, before.clock.now());
    const after = await startAuth({ store: open() });
    await settled();
    expect(after.ended).toEqual([{ sessionId, userId: id, reason: "revoked" }]);
    await before.stop();
    await after.stop();
    await rm(folder, { recursive: true });
  });

  it("AU6 why a token is refused is known for 30 days, then it is unknown", async () => {
    const clock = manualClock();
    const hour = 3_600_000;
    const own = await startAuth({ clock });
    const { token } = await own.register("ada");
    await own.send("POST", "/api/users/logout", { token });
    const state = () => refusalOf(own.bus.request(authSubjects.verify, { token }));
    clock.advance(30 * 24 * hour);
    await own.store.forgetEnded(clock.now() - 30 * 24 * hour, 0);
    expect(await state()).toBe("AUTH_INVALID revoked");
    clock.advance(1);
    await own.store.forgetEnded(clock.now() - 30 * 24 * hour, 0);
    expect(await state()).toBe("AUTH_INVALID unknown");
    await own.stop();
  });

  it("AU6 logout, logins and device tokens at once leave no way in for the ended session (X5, X6)", async () => {
    for (let round = 0; round < 40; round += 1) {
      const name = `user${round}`;
      const { id, token } = await auth.register(name);
      const jwt = await auth.jwtOf(token);
      const put = (device: string) =>
        auth.send("PUT", `/api/users/device-tokens/${id}/${device}`, {
          jwt,
          body: { platform: "web", token: "t" },
        });
      const racing = [
        () => put("a"),
        () => auth.send("POST", "/api/users/logout", { jwt }),
        () => auth.jwtOf(token).catch(() => "refused"),
        () => put("b"),
        () => auth.login(name),
      ];
      const order = racing.map((_, index) => (index * 3 + round) % racing.length);
      const answers = await Promise.all(order.map(async (index) => racing[index]?.()));
      const fresh = answers.find(
        (answer) => typeof answer === "object" && answer.status === 200 && "token" in answer.body,
      );
      expect(fresh).toBeDefined();
      expect(await stateOf(token)).toBe("AUTH_INVALID revoked");
      expect(await auth.store.listDeviceTokens(id, auth.clock.now())).toEqual([]);
      const sessions = await auth.store.listSessions(id, auth.clock.now());
      expect(sessions).toHaveLength(1);
    }
  });
});
