import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ProblemError, accountExportSchema, authSubjects, discoverySubjects } from "@hearth/contracts";
import type { AccountExport, Block } from "@hearth/contracts";
import { createMemoryBus, newId, silentLog } from "@hearth/runtime";
import { until } from "@hearth/runtime/testing";
import { PASSWORD, refusalOf, settled, startAuth } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const blocksOf = async (token: string): Promise<readonly Block[]> =>
  (await auth.send<{ items: Block[] }>("GET", "/api/users/me/blocks", { token })).body.items;

describe("blocks", () => {
  it("AB12 are stored, listed, answered on the bus, announced and lifted", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    const events: unknown[] = [];
    auth.bus.subscribe(authSubjects.blockChanged, (event) => void events.push(event));
    const path = `/api/users/me/blocks/${bob.id}`;
    const blocked = (userId: string, otherUserId: string) =>
      auth.bus.request(authSubjects.blocked, { userId, otherUserId });
    for (let twice = 0; twice < 2; twice += 1)
      expect((await auth.send("PUT", path, { token: ada.token })).status).toBe(204);
    expect(await blocksOf(ada.token)).toEqual([{ userId: bob.id, createdAt: auth.clock.now() }]);
    expect(await blocksOf(bob.token)).toEqual([]);
    expect(await blocked(ada.id, bob.id)).toEqual({ blocked: true });
    expect(await blocked(bob.id, ada.id)).toEqual({ blocked: false });
    expect((await auth.send("DELETE", path, { token: ada.token })).status).toBe(204);
    expect(await blocked(ada.id, bob.id)).toEqual({ blocked: false });
    await settled();
    const change = { userId: ada.id, otherUserId: bob.id };
    expect(events.at(0)).toEqual({ ...change, blocked: true });
    expect(events.at(-1)).toEqual({ ...change, blocked: false });
  });

  it("AB12 name an existing user other than oneself", async () => {
    const ada = await auth.register("ada");
    const put = async (id: string) =>
      (await auth.send("PUT", `/api/users/me/blocks/${id}`, { token: ada.token })).status;
    expect([await put(newId()), await put(ada.id), await put("bob")]).toEqual([404, 400, 400]);
  });

  it("AB12 AB4 a 1,001st block is refused with the name of the quota", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    for (let n = 0; n < 1000; n += 1) await auth.store.putBlock(ada.id, newId(), n, 1000);
    const answer = await auth.send("PUT", `/api/users/me/blocks/${bob.id}`, { token: ada.token });
    expect(answer).toMatchObject({ status: 403, body: { code: "QUOTA_EXCEEDED", reason: "blocks" } });
    expect(answer.body.detail).toContain("1000");
  });
});

describe("reports", () => {
  it("AB12 are stored for the operator, 20 a day", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    const body = { userId: bob.id, reason: "spam", comment: "again and again", quotedText: "buy\nthis" };
    const report = () => auth.send("POST", "/api/users/reports", { token: ada.token, body });
    for (let n = 0; n < 20; n += 1) expect((await report()).status).toBe(204);
    expect(await report()).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    const reports = await auth.store.listReports("open", 100);
    expect(reports).toHaveLength(20);
    expect(reports[0]).toMatchObject({ ...body, reporterId: ada.id, serverId: null, resolvedAt: null });
    const wrong = { ...body, userId: newId() };
    const unknown = await auth.send("POST", "/api/users/reports", { token: bob.token, body: wrong });
    expect(unknown.status).toBe(404);
  });
});

describe("the export of an account", () => {
  it("AB12 contains the records of both services, and no secret", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    auth.bus.answer(discoverySubjects.exportUser, async ({ userId }) => ({ data: { memberOf: [userId] } }));
    await auth.send("PUT", `/api/users/me/blocks/${bob.id}`, { token: ada.token });
    const { token } = (await auth.login("ada")).body;
    await auth.send("POST", "/api/users/logout", { token });
    const answer = await auth.send<AccountExport>("GET", "/api/users/me/export", { token: ada.token });
    const whole = accountExportSchema.parse(answer.body);
    expect(whole).toMatchObject({
      exportedAt: auth.clock.now(),
      account: { id: ada.id, username: "ada", blocks: [{ userId: bob.id }], reports: [], deviceTokens: [] },
      discovery: { memberOf: [ada.id] },
    });
    expect(whole.account["sessions"]).toHaveLength(2);
    expect(whole.account["addresses"]).toHaveLength(1);
    const text = JSON.stringify(whole);
    for (const secret of [ada.token, token, PASSWORD, "passwordHash", "tokenHash"])
      expect(text).not.toContain(secret);
  });

  it("AB12 ER6 is 503 while discovery is away, never a partial export", async () => {
    const { token } = await auth.register("ada");
    const answer = await auth.send("GET", "/api/users/me/export", { token });
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(answer.headers.get("retry-after")).not.toBeNull();
  });
});

describe("the deletion of an account", () => {
  const remove = (token: string, currentPassword = PASSWORD, ownedServers = "transfer") =>
    auth.send("DELETE", "/api/users/me", { token, body: { currentPassword, ownedServers } });

  it("AB12 requires the password, and counts a wrong one", async () => {
    const { token } = await auth.register("ada");
    for (let n = 0; n < 10; n += 1) expect((await remove(token, "wrong")).status).toBe(401);
    expect(await remove(token)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect((await auth.send("GET", "/api/users/me", { token })).status).toBe(200);
  });

  it("AB12 ends every session, removes its records, and reserves the name", async () => {
    const ada = await auth.register("ada");
    const bob = await auth.register("bob");
    const phone = (await auth.login("ada")).body.token;
    const device = { token: phone, body: { platform: "web", token: "push" } };
    await auth.send("PUT", `/api/users/device-tokens/${ada.id}/phone`, device);
    await auth.send("PUT", `/api/users/me/blocks/${bob.id}`, { token: ada.token });
    await auth.send("PUT", `/api/users/me/blocks/${ada.id}`, { token: bob.token });
    const report = { token: ada.token, body: { userId: bob.id, reason: "spam" } };
    await auth.send("POST", "/api/users/reports", report);
    const events: unknown[] = [];
    auth.bus.subscribe(authSubjects.userDeleted, (event) => void events.push(event));

    expect((await remove(ada.token, PASSWORD, "delete")).status).toBe(204);

    await settled();
    expect(events).toEqual([{ userId: ada.id, ownedServers: "delete" }]);
    expect(auth.ended.map(({ userId, reason }) => [userId, reason])).toEqual([
      [ada.id, "revoked"],
      [ada.id, "revoked"],
    ]);
    for (const token of [ada.token, phone]) {
      const state = refusalOf(auth.bus.request(authSubjects.verify, { token }));
      expect(await state).toBe("AUTH_INVALID revoked");
    }
    expect((await auth.login("ada")).body.code).toBe("INVALID_CREDENTIALS");
    const again = { body: { username: "ADA", password: PASSWORD } };
    expect((await auth.send("POST", "/api/users/register", again)).body.code).toBe("USERNAME_TAKEN");
    const { store } = auth;
    expect(await blocksOf(bob.token)).toEqual([]);
    expect([await store.listBlocks(ada.id), await store.reportsBy(ada.id)]).toEqual([[], []]);
    expect([await store.listDeviceTokens(ada.id, 0), await store.listAddresses(ada.id)]).toEqual([[], []]);
    expect((await store.listAllSessions(ada.id)).map(({ ip, userAgent }) => [ip, userAgent])).toEqual([
      ["", null],
      ["", null],
    ]);
    expect((await auth.send("PUT", `/api/users/me/blocks/${ada.id}`, { token: bob.token })).status).toBe(404);
  });

  it("AB12 is announced until the bus takes it, and again over a week for services that were away", async () => {
    let away = true;
    const bus = createMemoryBus({ log: silentLog });
    const publish = bus.publish.bind(bus);
    bus.publish = async (subject, payload) => {
      if (away) throw new ProblemError("UNAVAILABLE");
      return publish(subject, payload);
    };
    const flaky = await startAuth({ bus });
    const events: unknown[] = [];
    bus.subscribe(authSubjects.userDeleted, (event) => void events.push(event));
    const { token } = await flaky.register("ada");
    const body = { currentPassword: PASSWORD, ownedServers: "transfer" };
    expect((await flaky.send("DELETE", "/api/users/me", { token, body })).status).toBe(204);
    expect(events).toEqual([]);
    away = false;
    const untilTold = async (count: number) => {
      await until(() => events.length >= count, 4_000);
      expect(events).toHaveLength(count);
    };
    await untilTold(1);
    flaky.clock.advance(6_000);
    await untilTold(2);
    flaky.clock.advance(3 * 3_600_000);
    await untilTold(3);
    flaky.clock.advance(200 * 3_600_000);
    await untilTold(4);
    flaky.clock.advance(1000 * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(events).toHaveLength(4);
    await flaky.stop();
  });
});
