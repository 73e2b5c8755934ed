import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { accountSchema, authSubjects, credentialSchema } from "@hearth/contracts";
import type { Account } from "@hearth/contracts";
import { PASSWORD, YEAR_MS, settled, startAuth } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const register = (body: object) => auth.send("POST", "/api/users/register", { body });

describe("accounts", () => {
  it("AU1 register answers 201 with a credential that is valid at once", async () => {
    const { status, body } = await register({ username: "Ada", password: PASSWORD });
    expect(status).toBe(201);
    const credential = credentialSchema.parse(body);
    expect(credential).toMatchObject({ username: "Ada", displayName: "Ada" });
    expect(credential.expiresAt).toBe(auth.clock.now() + 10 * YEAR_MS);
    const me = await auth.send<Account>("GET", "/api/users/me", { token: credential.token });
    expect(me.status).toBe(200);
    expect(accountSchema.parse(me.body)).toEqual({
      id: credential.id,
      username: "Ada",
      displayName: "Ada",
      createdAt: auth.clock.now(),
    });
  });

  it("AU1 login answers 200 with a credential of the same account, in any case of the name", async () => {
    const registered = await auth.register("Ada");
    const { status, body } = await auth.login("aDA");
    expect(status).toBe(200);
    expect(credentialSchema.parse(body)).toMatchObject({ id: registered.id, username: "Ada" });
    expect(body.token).not.toBe(registered.token);
  });

  it("AU1 PATCH me changes the display name and publishes the change", async () => {
    const events: unknown[] = [];
    auth.bus.subscribe(authSubjects.userUpdated, (event) => void events.push(event));
    const { id, token } = await auth.register("Ada");
    const changed = await auth.send<Account>("PATCH", "/api/users/me", {
      token,
      body: { displayName: "Lady A." },
    });
    expect(changed).toMatchObject({ status: 200, body: { id, username: "Ada", displayName: "Lady A." } });
    await settled();
    expect(events).toEqual([{ userId: id, displayName: "Lady A." }]);
    expect(await auth.bus.request(authSubjects.verify, { token })).toMatchObject({ displayName: "Lady A." });
    expect((await auth.login("Ada")).body.displayName).toBe("Lady A.");
  });

  it("AU1 PATCH me is a conflict when the account changed meanwhile", async () => {
    const { token } = await auth.register("Ada");
    const patch = (displayName: string) =>
      auth.send("PATCH", "/api/users/me", { token, body: { displayName } });
    const rename = auth.store.renameAccount.bind(auth.store);
    auth.store.renameAccount = async (id, version, name) => {
      auth.store.renameAccount = rename;
      await patch("second, but faster");
      return rename(id, version, name);
    };
    expect(await patch("first")).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const me = await auth.send<Account>("GET", "/api/users/me", { token });
    expect(me.body.displayName).toBe("second, but faster");
  });

  it("AU1 a changed password replaces the old one and revokes the other sessions, not this one", async () => {
    const { token } = await auth.register("Ada");
    const other = (await auth.login("Ada")).body.token;
    const otherSession = await auth.sessionOf(other);
    const body = { currentPassword: PASSWORD, newPassword: "battery staple" };
    expect((await auth.send("POST", "/api/users/password", { token, body })).status).toBe(204);
    await settled();
    expect(auth.ended.map(({ sessionId, reason }) => [sessionId, reason])).toEqual([
      [otherSession, "revoked"],
    ]);
    await expect(auth.jwtOf(other)).rejects.toMatchObject({
      code: "AUTH_INVALID",
      extras: { reason: "revoked" },
    });
    expect((await auth.send("GET", "/api/users/me", { token })).status).toBe(200);
    expect((await auth.login("Ada")).status).toBe(401);
    expect((await auth.login("Ada", "battery staple")).status).toBe(200);
  });

  it("AU1 a wrong current password changes nothing and revokes nothing", async () => {
    const { token } = await auth.register("Ada");
    const other = (await auth.login("Ada")).body.token;
    const body = { currentPassword: "wrong password", newPassword: "battery staple" };
    expect(await auth.send("POST", "/api/users/password", { token, body })).toMatchObject({
      status: 401,
      body: { code: "INVALID_CREDENTIALS" },
    });
    await auth.jwtOf(other);
    expect((await auth.login("Ada")).status).toBe(200);
  });

  it("AU1 every route that needs a token refuses a request without one: 401 AUTH_REQUIRED", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const routes = [
      ["POST", "/api/users/logout"],
      ["GET", "/api/users/me"],
      ["PATCH", "/api/users/me"],
      ["POST", "/api/users/password"],
      ["GET", "/api/users/sessions"],
      ["DELETE", "/api/users/sessions"],
      ["DELETE", `/api/users/sessions/${id}`],
      ["GET", `/api/users/device-tokens/${id}`],
      ["PUT", `/api/users/device-tokens/${id}/phone`],
      ["DELETE", `/api/users/device-tokens/${id}/phone`],
    ] as const;
    for (const [method, path] of routes) {
      const answer = await auth.send(method, path);
      expect(`${method} ${path} ${answer.status} ${answer.body.code}`).toBe(
        `${method} ${path} 401 AUTH_REQUIRED`,
      );
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });
});

describe("names and passwords", () => {
  it.each([
    ["two characters", "ab"],
    ["65 characters", "a".repeat(65)],
    ["a space", "a da"],
    ["a control character", "ada\u0007"],
    ["a line break", "ada\r\nx"],
    ["a mark that turns the direction", "ada\u202e"],
    ["full-width letters", "\uff41\uff44\uff4d\uff49\uff4e"],
    ["a letter with an accent", "ad\u00e9"],
    ["an operator", { $ne: null }],
    ["an array", ["ada"]],
    ["a number", 12345],
    ["nothing", undefined],
  ])("AU2 refuses as a username (R9, R31): %s", async (_name, username) => {
    const { status, body } = await register({ username, password: PASSWORD });
    expect(status).toBe(400);
    expect(body.code).toBe("INVALID_REQUEST");
    expect(body.errors?.[0]?.path).toBe("username");
  });

  it.each([
    ["7 characters", "1234567"],
    ["1025 characters", "x".repeat(1025)],
    ["empty", ""],
    ["half of a surrogate pair", "\ud83d\ud83d\ud83d\ud83d\ud83d\ud83d\ud83d\ud83d"],
    ["an operator", { $gt: "" }],
    ["null", null],
  ])("AU2 refuses as a password (R7, R8, R10): %s", async (_name, password) => {
    const { status, body } = await register({ username: "ada", password });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "password", message: expect.any(String) }]);
  });

  it("AU2 accepts the longest and the shortest allowed values", async () => {
    expect((await register({ username: "a.b", password: "x".repeat(1024) })).status).toBe(201);
    expect((await register({ username: "A-_".padEnd(64, "9"), password: "8 places" })).status).toBe(201);
  });

  it("AU2 a taken name is refused in any case: 409 USERNAME_TAKEN (R31, R32)", async () => {
    await auth.register("admin");
    for (const username of ["admin", "Admin", "ADMIN"])
      expect(await register({ username, password: PASSWORD })).toMatchObject({
        status: 409,
        body: { code: "USERNAME_TAKEN" },
      });
  });

  it("AU2 of 50 concurrent registrations of one name, one succeeds (X10)", async () => {
    const spellings = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? "Race" : "rACE"));
    const answers = await Promise.all(
      spellings.map((username) => register({ username, password: PASSWORD })),
    );
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  });

  it("AU2 a display name defaults to the username, is normalised, and holds no control characters", async () => {
    const given = await auth.register("bob", { body: { displayName: "Ame\u0301lie" } });
    expect(given.displayName).toBe("Am\u00e9lie");
    for (const displayName of ["", " ", "x".repeat(65), "a\u0000b", "a\nb", "a\u202eb", 5])
      expect((await register({ username: "carol", password: PASSWORD, displayName })).status).toBe(400);
  });

  it("AU2 refuses unknown fields, and fields that would name another user (R13, R14)", async () => {
    const valid = { username: "ada", password: PASSWORD };
    for (const field of ["role", "id", "userId", "createdAt", "constructor"])
      expect((await register({ ...valid, [field]: "x" })).body.errors).toEqual([
        { path: field, message: expect.any(String) },
      ]);
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });

  it("AU2 two spellings of one password open the same account", async () => {
    await auth.register("ada", { body: { password: "caf\u00e9 au lait" } });
    expect((await auth.login("ada", "cafe\u0301 au lait")).status).toBe(200);
  });
});
