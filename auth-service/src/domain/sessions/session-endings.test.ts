import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, authSubjects } from "@hearth/contracts";
import { createMemoryBus, newId, silentLog } from "@hearth/runtime";
import type { Bus } from "@hearth/runtime";
import { manualClock, until } from "@hearth/runtime/testing";
import { PASSWORD, YEAR_MS, refusalOf, settled, startAuth, testConfig } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";
import { createSqliteAuthStore } from "../../store/sqlite/store.sqlite.ts";

let auth: RunningAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const stateOf = (token: string): Promise<string> =>
  refusalOf(auth.bus.request(authSubjects.verify, { token }));
/** A bus that does something, or refuses, before each event. */
function busWith(beforePublish: () => Promise<void>): Bus {
  const bus = createMemoryBus({ log: silentLog });
  const publish = bus.publish.bind(bus);
  bus.publish = async (subject, payload) => {
    await beforePublish();
    return publish(subject, payload);
  };
  return bus;
}

/** The sweep runs by itself; this waits until it has announced that many ends. */
const untilEnded = async (count: number): Promise<void> => {
  await until(() => auth.ended.length >= count, 4_000);
  expect(auth.ended).toHaveLength(count);
};

describe("the end of a session", () => {
  it("AU6 logout ends exactly the presented session and announces it before it answers", async () => {
    const { id, token } = await auth.register("ada");
    const sibling = (await auth.login("ada")).body.token;
    const sessionId = await auth.sessionOf(token);
    expect((await auth.send("POST", "/api/users/logout", { token })).status).toBe(204);
    expect(auth.ended).toEqual([{ sessionId, userId: id, reason: "revoked" }]);
    expect(await stateOf(token)).toBe("AUTH_INVALID revoked");
    expect(await stateOf(sibling)).toBe("good");
  });

  it("AU6 X7 a service that missed events can ask which of many sessions have ended, and why", async () => {
    const { id: userId, token } = await auth.register("ada");
    const tokens = [token];
    for (let n = 0; n < 3; n += 1) tokens.push((await auth.login("ada")).body.token);
    const ids = await Promise.all(tokens.map((each) => auth.sessionOf(each)));
    await auth.send("POST", "/api/users/logout", { token: tokens[1] ?? "" });
    const asked = (sessions: readonly { sessionId: string; userId: string }[]) =>
      auth.bus.request(authSubjects.ended, { sessions: [...sessions] });
    const own = ids.map((sessionId) => ({ sessionId, userId }));
    const strange = { sessionId: newId(), userId };
    expect(await asked([])).toEqual({ ended: [] });
    expect(await asked([...own, strange])).toEqual({
      ended: [
        { sessionId: ids[1], reason: "revoked" },
        { sessionId: strange.sessionId, reason: "revoked" },
      ],
    });
    // Another's session is none that lives for this user.
    expect(await asked([{ sessionId: ids[0] ?? "", userId: newId() }])).toEqual({
      ended: [{ sessionId: ids[0], reason: "revoked" }],
    });
    auth.clock.advance(testConfig.sessionTtlMs);
    expect((await asked(own.slice(0, 1))).ended).toEqual([{ sessionId: ids[0], reason: "expired" }]);
  });

  it("AU6 concurrent ends are announced once each, also over a slow bus", async () => {
    const slow = await startAuth({ bus: busWith(() => new Promise((resolve) => setTimeout(resolve, 2))) });
    const jwts = [await slow.jwtOf((await slow.register("ada")).token)];
    for (let n = 0; n < 30; n += 1) jwts.push(await slow.jwtOf((await slow.login("ada")).body.token));
    await Promise.all(jwts.map((jwt) => slow.send("POST", "/api/users/logout", { jwt })));
    await settled();
    expect(slow.ended).toHaveLength(jwts.length);
    expect(new Set(slow.ended.map(({ sessionId }) => sessionId)).size).toBe(jwts.length);
    const counted = `hearth_auth_sessions_ended_total{reason="revoked"} ${jwts.length}`;
    expect(await slow.metrics.text()).toContain(counted);
    await slow.stop();
  });

  it("AU6 a second logout is 401, and the other tokens stay valid (R23)", async () => {
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

  it("AU6 a session that expires is announced as expired, its siblings are not", async () => {
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

  it("AU6 an end that the bus did not take is announced as soon as it does, and the answer does not wait", async () => {
    let away = true;
    const bus = busWith(async () => {
      if (away) throw new ProblemError("UNAVAILABLE");
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

  it("AU6 an end that a crash left unannounced is announced at the next start", async () => {
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

  it("AU6 a refusal names its reason for 30 days, then the token is unknown", async () => {
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
