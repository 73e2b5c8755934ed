import type { Credential, SessionInfo } from "@hearth/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Answer,
  call,
  CLIENTS,
  type Device,
  dialPlain,
  dialRaw,
  dialSocketIo,
  DOORS,
  expectOk,
  login,
  openDevice,
  PASSWORD,
  RAW_DOORS,
  freshName,
  register,
  settled,
} from "../../src/client/index.ts";
import { expectProblem } from "../../src/expectations/problem.ts";
import { serverForTests } from "../../src/server/for-tests.ts";

const SECOND = 1_000;

const sessionsOf = (url: string, { token }: Credential): Promise<SessionInfo[]> =>
  expectOk(url, "GET", "/api/users/sessions", { token });

/** A session's device on every kind of client. */
const everywhere = (url: string, credential: Credential): Promise<Device[]> =>
  Promise.all(CLIENTS.map(([, dial]) => openDevice(dial, url, credential)));

/** AU6: each gets the reason and closes within a second of the response that ended the session. */
const expectEnded = async (devices: readonly Device[], since: number, code: number, reason: string) => {
  for (const device of devices) {
    const closed = await device.closed;
    expect(Date.now() - since).toBeLessThan(SECOND);
    expect([code, 0]).toContain(closed.code);
    const [failure, closing] = device.inbox.all.slice(-2);
    expect(failure).toMatchObject({ type: "auth_required", code: "AUTH_INVALID", reason });
    expect(closing).toMatchObject({ type: "closing", closeCode: code, reconnect: false });
  }
};

describe("ending a session", () => {
  const server = serverForTests();
  let ada: Credential;
  let laptop: Device;

  beforeAll(async () => {
    ada = await register(server.url, freshName("ada"));
    laptop = await openDevice(dialPlain, server.url, ada);
  });

  afterAll(async () => {
    await laptop.close();
  });

  it("AU5 the list has every session, the current one first", async () => {
    const body = { username: ada.username, password: PASSWORD, deviceName: "Ada's phone" };
    const headers = { "user-agent": "Phone/1.0" };
    const phone = await expectOk<Credential>(server.url, "POST", "/api/users/login", { body, headers });
    const [current, other, ...more] = await sessionsOf(server.url, phone);
    expect(more).toEqual([]);
    expect(current).toMatchObject({
      current: true,
      deviceName: "Ada's phone",
      userAgent: "Phone/1.0",
      ip: expect.stringMatching(/^127(\.\d+){3}$/),
    });
    expect(other).toMatchObject({ current: false, expiresAt: ada.expiresAt });
    expect(JSON.stringify([current, other])).not.toContain(phone.token);
    await expectOk(server.url, "POST", "/api/users/logout", { token: phone.token });
    expect(await sessionsOf(server.url, ada)).toHaveLength(1);
  });

  it("AU5 AU6 revoking one session closes only its sockets, on both doors, within a second", async () => {
    const [lost, kept] = [await login(server.url, ada.username), await login(server.url, ada.username)];
    const [lostDevices, keptDevices] = [
      await everywhere(server.url, lost),
      await everywhere(server.url, kept),
    ];
    const ids = new Map((await sessionsOf(server.url, lost)).map(({ id, current }) => [current, id]));
    await expectOk(server.url, "GET", "/api/servers/mine", { token: lost.token });
    await expectOk(server.url, "DELETE", `/api/users/sessions/${ids.get(true) ?? ""}`, { token: ada.token });
    const since = Date.now();
    const refused = await call(server.url, "GET", "/api/users/me", { token: lost.token });
    expect(expectProblem(refused, "AUTH_INVALID").reason).toBe("revoked");
    // Asks another service than the one that ended it, with a token in the gateway's cache.
    const elsewhere = await call(server.url, "GET", "/api/servers/mine", { token: lost.token });
    expect(expectProblem(elsewhere, "AUTH_INVALID").reason).toBe("revoked");
    await expectEnded(lostDevices, since, 4501, "revoked");
    await settled(laptop, ...keptDevices);
    await expectOk(server.url, "GET", "/api/users/me", { token: kept.token });
    expectProblem(
      await call(server.url, "DELETE", `/api/users/sessions/${ids.get(true) ?? ""}`, { token: ada.token }),
      "NOT_FOUND",
    );
    await expectOk(server.url, "POST", "/api/users/logout", { token: kept.token });
    await expectEnded(keptDevices, Date.now(), 4501, "revoked");
    await settled(laptop);
  });

  it("AU5 AU6 ending all other sessions needs the password, keeps the current one and closes the rest", async () => {
    const others = [await login(server.url, ada.username), await login(server.url, ada.username)];
    const devices = (await Promise.all(others.map((each) => everywhere(server.url, each)))).flat();
    const end = (currentPassword: string) =>
      call(server.url, "DELETE", "/api/users/sessions", { token: ada.token, body: { currentPassword } });
    expectProblem(await end("a good guess"), "INVALID_CREDENTIALS");
    await settled(laptop, ...devices);
    expect((await end(PASSWORD)).status).toBe(204);
    await expectEnded(devices, Date.now(), 4501, "revoked");
    await settled(laptop);
    expect(await sessionsOf(server.url, ada)).toHaveLength(1);
  });

  it("AU1 AU6 changing the password ends all sessions but the one that changed it", async () => {
    const account = await register(server.url, freshName("grace"));
    const other = await login(server.url, account.username);
    const [own, devices] = [
      await openDevice(dialSocketIo, server.url, account),
      await everywhere(server.url, other),
    ];
    const change = (currentPassword: string, newPassword: string) =>
      call(server.url, "POST", "/api/users/password", {
        token: account.token,
        body: { currentPassword, newPassword },
      });
    expectProblem(await change("a good guess", "another secret"), "INVALID_CREDENTIALS");
    expect((await change(PASSWORD, "another secret")).status).toBe(204);
    await expectEnded(devices, Date.now(), 4501, "revoked");
    await settled(own);
    const attempt = (password: string) =>
      call(server.url, "POST", "/api/users/login", { body: { username: account.username, password } });
    expectProblem(await attempt(PASSWORD), "INVALID_CREDENTIALS");
    expect((await attempt("another secret")).status).toBe(200);
    await own.close();
  });

  it.each(DOORS)(
    "AU6 X5 a logout during identify on the %s door leaves nobody connected, 25 times",
    async (_name, dial) => {
      const racer = await register(server.url);
      for (let run = 0; run < 25; run += 1) {
        const { token } = run === 0 ? racer : await login(server.url, racer.username);
        const socket = await dial(server.url);
        const logout = (): Promise<Answer<unknown>> =>
          call(server.url, "POST", "/api/users/logout", { token });
        // From before identify to a few milliseconds after it.
        const early = run % 5 === 0 ? logout() : undefined;
        socket.send({ type: "identify", token });
        await new Promise((resolve) => setTimeout(resolve, run % 5));
        await (early ?? logout());
        const identified = socket.inbox.count("identified") > 0;
        const ended = await Promise.race([
          socket.closed.then(() => "closed"),
          socket.inbox.next("auth_error", undefined, SECOND).then(() => "refused"),
          socket.inbox.next("auth_required", undefined, SECOND).then(() => "refused"),
        ]);
        expect({ run, identified, ended }).toMatchObject({ ended: expect.stringMatching(/closed|refused/) });
        await socket.close();
      }
    },
    30_000,
  );

  it("AU4 a session of ten years is not treated as expired", async () => {
    const TEN_YEARS = 10 * 365 * 24 * 3_600_000;
    expect(Math.abs(ada.expiresAt - Date.now() - TEN_YEARS)).toBeLessThan(3_600_000);
    const devices = await everywhere(server.url, ada);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await settled(...devices);
    for (const device of devices) {
      expect(device.identified["sessionExpiresAt"]).toBe(ada.expiresAt);
      await device.close();
    }
  });
});

describe("a session that expires", () => {
  const TTL = 2_500;
  const server = serverForTests({ env: { SESSION_TOKEN_TTL_MS: String(TTL) } });

  it("AU6 R21 W6 closes its sockets with 4502, and the server refuses its token as expired", async () => {
    const account = await register(server.url);
    const devices = await everywhere(server.url, account);
    const raw = await Promise.all(RAW_DOORS.map((door) => dialRaw(server.url, door)));
    for (const socket of raw)
      socket.say(JSON.stringify({ type: "identify", token: account.token }), "identify");
    for (const socket of raw) expect((await socket.closed).code).toBe(4502);
    expect(Date.now()).toBeGreaterThanOrEqual(account.expiresAt);
    expect(Date.now() - account.expiresAt).toBeLessThan(2 * SECOND);
    await expectEnded(devices, Date.now(), 4502, "expired");
    const refused = await call(server.url, "GET", "/api/users/me", { token: account.token });
    expect(expectProblem(refused, "AUTH_INVALID").reason).toBe("expired");
    for (const [, dial] of DOORS) {
      const socket = await dial(server.url);
      const answer = await socket.ask({ type: "identify", token: account.token });
      expect(answer).toMatchObject({ type: "auth_error", reason: "expired" });
      await socket.close();
    }
  }, 60_000);
});
