import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, sessionInfoSchema } from "@hearth/contracts";
import type { SessionInfo } from "@hearth/contracts";
import { sha256Hex, silentLog } from "@hearth/runtime";
import { PASSWORD, YEAR_MS, refusalOf, startAuth, testConfig } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";
import { createSqliteAuthStore } from "../../store/sqlite/store.sqlite.ts";

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
/** Resolves once the sweep has begun twice more, so that one has ended in between. */
const twoSweeps = (): Promise<void> =>
  new Promise((resolve) => {
    const expire = auth.store.expireSessions.bind(auth.store);
    let seen = 0;
    auth.store.expireSessions = (now) => {
      seen += 1;
      if (seen === 2) resolve();
      return expire(now);
    };
  });

describe("session tokens", () => {
  it("AU4 a token is 64 hex characters, new for each login, and earlier ones stay valid", async () => {
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
    await twoSweeps();
    expect(auth.ended).toEqual([]);
    expect(await verify(token)).toMatchObject({ expiresAt });
  });

  it("AU4 a token is valid for the configured time, to the millisecond", async () => {
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
  it("AU5 lists the account's sessions with their addresses, the presented one first", async () => {
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

  it("AU5 a device name that cannot be shown is dropped, and the token is still valid", async () => {
    const { token } = await auth.register("ada", { body: { deviceName: "phone" } });
    for (const name of ["", "x".repeat(65), "a\nb", "\u202eevil"]) await verify(token, name);
    expect((await listSessions(token))[0]).toMatchObject({ deviceName: "phone" });
  });

  it("AU5 ends one session of the account, and no session of another", async () => {
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

  it("AU5 ends all sessions but this one, and only with the password", async () => {
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
