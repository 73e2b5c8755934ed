import { afterEach, describe, expect, it } from "@jest/globals";
import { authSubjects } from "@hearth/contracts";
import type { Credential, Problem } from "@hearth/contracts";
import { newId, sha256Hex } from "@hearth/runtime";
import { PASSWORD, refusalOf, settled, startAuth, testConfig } from "../../testing/service.ts";
import type { Answer, RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
afterEach(() => auth.stop());

const register = (username: string, invitation?: string): Promise<Answer<Credential & Problem>> =>
  auth.send("POST", "/api/users/register", { body: { username, password: PASSWORD, invitation } });

const CODE = "an-invitation-code";
const invite = (fields: object = {}) =>
  auth.store.addInvitation({
    id: newId(),
    codeHash: sha256Hex(CODE),
    maxUses: 1,
    remaining: 1,
    createdAt: 0,
    createdBy: "root",
    expiresAt: null,
    revokedAt: null,
    ...fields,
  });

describe("registration", () => {
  it.each(["open", "invite", "closed"] as const)("AB11 says that it is %s", async (registration) => {
    auth = await startAuth({ config: { ...testConfig, registration } });
    const answer = await auth.send("GET", "/api/users/registration");
    expect([answer.status, answer.body]).toEqual([200, { mode: registration }]);
    const { status, body } = await register("ada");
    const expected = { open: undefined, invite: "invite_required", closed: "closed" };
    expect([status, body.reason]).toEqual([registration === "open" ? 201 : 403, expected[registration]]);
  });

  it("AB11 an invitation works for its number of uses, and a taken name costs none", async () => {
    auth = await startAuth({ config: { ...testConfig, registration: "invite" } });
    await invite({ maxUses: 2, remaining: 2 });
    expect((await register("ada", "another-code-of-16")).body).toMatchObject({
      code: "REGISTRATION_CLOSED",
      reason: "invite_invalid",
    });
    expect((await register("ada", CODE)).status).toBe(201);
    expect((await register("Ada", CODE)).body.code).toBe("USERNAME_TAKEN");
    const racing = await Promise.all(["bob", "eve", "joe"].map((name) => register(name, CODE)));
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect((await auth.store.listInvitations(10)).map(({ remaining }) => remaining)).toEqual([0]);
  });

  it("AB11 an expired or revoked invitation admits nobody", async () => {
    auth = await startAuth({ config: { ...testConfig, registration: "invite" } });
    await invite({ expiresAt: auth.clock.now() });
    expect((await register("ada", CODE)).body.reason).toBe("invite_invalid");
    const id = newId();
    await invite({ id, codeHash: sha256Hex("another-code-of-16") });
    expect(await auth.store.revokeInvitation(id, auth.clock.now())).toBe(true);
    expect((await register("ada", "another-code-of-16")).body.reason).toBe("invite_invalid");
  });
});

describe("a reset code", () => {
  const reset = (code: string, newPassword = "battery staple"): Promise<Answer<Credential & Problem>> =>
    auth.send("POST", "/api/users/reset", { body: { code, newPassword } });
  const withCode = async () => {
    auth = await startAuth();
    const ada = await auth.register("ada");
    const { id: accountId } = ada;
    const expiresAt = auth.clock.now() + 1000;
    await auth.store.putResetCode({ codeHash: sha256Hex(CODE), accountId, createdAt: 0, expiresAt });
    return ada;
  };

  it("AB11 sets a new password once, ends all sessions and opens one", async () => {
    const ada = await withCode();
    const done = await reset(CODE);
    expect([done.status, done.body.id]).toEqual([200, ada.id]);
    expect(await refusalOf(auth.bus.request(authSubjects.verify, { token: ada.token }))).toBe(
      "AUTH_INVALID revoked",
    );
    expect((await auth.send("GET", "/api/users/me", { token: done.body.token })).status).toBe(200);
    expect((await auth.login("ada")).status).toBe(401);
    expect((await auth.login("ada", "battery staple")).status).toBe(200);
    expect(await reset(CODE)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", reason: "code_invalid" },
    });
  });

  it("AB11 of two concurrent uses, one sets the password", async () => {
    await withCode();
    const answers = await Promise.all([reset(CODE), reset(CODE, "another staple")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it("AB11 does nothing when it has expired, or the account is suspended or deleted", async () => {
    const { id } = await withCode();
    await auth.store.suspendAccount(id, auth.clock.now());
    expect((await reset(CODE)).body.code).toBe("ACCOUNT_SUSPENDED");
    await auth.store.unsuspendAccount(id);
    auth.clock.advance(1000);
    expect((await reset(CODE)).body.reason).toBe("code_invalid");
    expect((await auth.login("ada")).status).toBe(200);
  });
});

describe("a suspended account", () => {
  it("AB11 learns of it only with the right password, and the next sweep ends its sessions", async () => {
    auth = await startAuth();
    const { id, token } = await auth.register("ada");
    const sessionId = await auth.sessionOf(token);
    // As another process does it: nothing is said on the bus.
    expect(await auth.store.suspendAccount(id, auth.clock.now())).toBe(true);
    for (let tries = 0; auth.ended.length === 0 && tries < 50; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(auth.ended).toEqual([{ sessionId, userId: id, reason: "revoked" }]);
    expect(await auth.login("ada")).toMatchObject({ status: 403, body: { code: "ACCOUNT_SUSPENDED" } });
    expect((await auth.login("ada", "wrong")).body.code).toBe("INVALID_CREDENTIALS");
    await auth.store.unsuspendAccount(id);
    expect((await auth.login("ada")).status).toBe(200);
  });
});

describe("a new session", () => {
  it("AB11 is announced to the account's other devices, except for an account's first session", async () => {
    auth = await startAuth();
    const events: unknown[] = [];
    auth.bus.subscribe(authSubjects.sessionOpened, (event) => void events.push(event));
    const { id } = await auth.register("ada");
    await settled();
    expect(events).toEqual([]);
    const body = { username: "ada", password: PASSWORD, deviceName: "Phone" };
    const { token } = (await auth.send<Credential>("POST", "/api/users/login", { body })).body;
    await settled();
    expect(events).toEqual([
      {
        userId: id,
        sessionId: await auth.sessionOf(token),
        openedAt: auth.clock.now(),
        deviceName: "Phone",
        ip: "203.0.113.1",
        userAgent: "a test",
      },
    ]);
  });
});

describe("a new password", () => {
  it("AB13 is neither common nor the username, on every route that sets one", async () => {
    auth = await startAuth();
    const refused = (path: string, message: string) => ({
      status: 400,
      body: { code: "INVALID_REQUEST", errors: [{ path, message: expect.stringContaining(message) }] },
    });
    const tryOut = (password: string) =>
      auth.send("POST", "/api/users/register", { body: { username: "Lovelace", password } });
    expect(await tryOut("Iloveyou")).toMatchObject(refused("password", "most common"));
    expect(await tryOut("LOVELACE")).toMatchObject(refused("password", "username"));
    expect(await tryOut("lovelace1")).toMatchObject(refused("password", "username"));
    const { id, token } = await auth.register("Lovelace");
    const body = { currentPassword: PASSWORD, newPassword: "iloveyou" };
    const change = await auth.send("POST", "/api/users/password", { token, body });
    expect(change).toMatchObject(refused("newPassword", "most common"));
    const times = { createdAt: 0, expiresAt: auth.clock.now() + 1 };
    await auth.store.putResetCode({ codeHash: sha256Hex(CODE), accountId: id, ...times });
    const reset = { code: CODE, newPassword: "lovelace" };
    const byCode = await auth.send("POST", "/api/users/reset", { body: reset });
    expect(byCode).toMatchObject(refused("newPassword", "username"));
  });
});
