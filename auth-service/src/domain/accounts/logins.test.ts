import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { recordedLog } from "@hearth/runtime/testing";
import * as bcrypt from "bcrypt";
import { ObservedBcrypt, PASSWORD, startAuth } from "../../testing/service.ts";
import type { Answer, RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
let hashing: ObservedBcrypt;
beforeEach(async () => {
  hashing = new ObservedBcrypt();
  auth = await startAuth({ bcrypt: hashing });
});
afterEach(() => auth.stop());

const withAccount = async (username: string, passwordHash: string): Promise<string> => {
  const id = newId();
  const account = { id, username, foldedName: username, displayName: username, passwordHash };
  await auth.store.importAccounts([{ ...account, createdAt: 0, version: 1, state: "active" }], "all");
  return id;
};
const hashOf = async (id: string): Promise<string> => (await auth.store.findAccount(id))?.passwordHash ?? "";

/** What a stranger could tell two answers apart by. */
const seen = ({ status, headers, body }: Answer<unknown>) => {
  const { requestId: _id, ...rest } = body as Record<string, unknown>;
  const names = [...headers.keys()].filter((name) => !["date", "x-request-id"].includes(name));
  const budget = new Set(["ratelimit", "x-ratelimit-remaining", "x-ratelimit-reset"]);
  return {
    status,
    body: rest,
    headers: names.map((name) => (budget.has(name) ? name : [name, headers.get(name)])),
  };
};

const legacy = {
  "unsalted SHA-256": () => Promise.resolve(createHash("sha256").update(PASSWORD).digest("hex")),
  "plain bcrypt": () => bcrypt.hash(PASSWORD, 4),
  "plain $2y$ bcrypt": async () => (await bcrypt.hash(PASSWORD, 4)).replace("$2b$", "$2y$"),
};

describe("logins", () => {
  it.each(Object.entries(legacy))("AU3 accepts and upgrades in place: %s (S8)", async (_name, make) => {
    const old = await make();
    const id = await withAccount("ada", old);
    expect((await auth.login("ada", "wrong password")).status).toBe(401);
    expect(await hashOf(id)).toBe(old);
    expect((await auth.login("ada")).status).toBe(200);
    const upgraded = await hashOf(id);
    expect(upgraded).toMatch(/^bcrypt-sha256:\$2b\$04\$/);
    expect((await auth.login("ada")).status).toBe(200);
    expect((await auth.login("ada", "wrong password")).status).toBe(401);
    expect(await hashOf(id)).toBe(upgraded);
  });

  it("AU3 two concurrent logins upgrade one legacy hash: both succeed, one hash stays (X11)", async () => {
    const id = await withAccount("ada", await legacy["plain bcrypt"]());
    const answers = await Promise.all([auth.login("ada"), auth.login("ada"), auth.login("ada")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await hashOf(id)).toMatch(/^bcrypt-sha256:/);
  });

  it("AU3 a password that is changed while a login upgrades the old hash wins (X11)", async () => {
    const old = await legacy["unsalted SHA-256"]();
    const id = await withAccount("ada", old);
    const changed = `bcrypt-sha256:${await bcrypt.hash("anything else", 4)}`;
    hashing.beforeHash = () => auth.store.replacePasswordHash(id, old, changed);
    expect((await auth.login("ada")).status).toBe(401);
    expect(await hashOf(id)).toBe(changed);
    expect(await auth.store.listSessions(id, 0)).toEqual([]);
  });

  it("AU3 no session is opened on a password that was changed between the check and the session", async () => {
    const { id } = await auth.register("ada");
    const create = auth.store.createSession.bind(auth.store);
    auth.store.createSession = async (session, hash) => {
      auth.store.createSession = create;
      await auth.store.replacePasswordHash(id, hash, "changed");
      return create(session, hash);
    };
    expect((await auth.login("ada")).status).toBe(401);
    expect(await auth.store.listSessions(id, 0)).toHaveLength(1);
  });

  it("AU3 an unknown user gets the answer of a wrong password, after the same work (S5)", async () => {
    await auth.register("ada");
    await withAccount("old", await legacy["unsalted SHA-256"]());
    await withAccount("older", await legacy["plain bcrypt"]());
    const answers: unknown[] = [];
    const work: string[] = [];
    for (const name of ["ada", "old", "older", "nobody", "no such name at all"]) {
      hashing.calls = hashing.rounds = 0;
      answers.push(seen(await auth.login(name, "wrong password")));
      work.push(`${hashing.calls} calls, ${hashing.rounds} rounds`);
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: "INVALID_CREDENTIALS" } });
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(work).toEqual(work.map(() => "1 calls, 16 rounds"));
  });

  it("AU2 a taken name is refused without hashing, even for many concurrent requests", async () => {
    const body = { username: "race", password: PASSWORD };
    const register = () => auth.send("POST", "/api/users/register", { body });
    const answers = await Promise.all(Array.from({ length: 20 }, register));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(hashing.calls).toBe(1);
  });

  it("AU3 a wrong current password is INVALID_CREDENTIALS on every route", async () => {
    const { token } = await auth.register("ada");
    const change = { currentPassword: "wrong password", newPassword: "battery staple" };
    const others = { currentPassword: "wrong password" };
    for (const answer of [
      await auth.send("POST", "/api/users/password", { token, body: change }),
      await auth.send("DELETE", "/api/users/sessions", { token, body: others }),
    ])
      expect(answer).toMatchObject({ status: 401, body: { code: "INVALID_CREDENTIALS" } });
  });

  it.each([
    ["an operator for a name", { username: { $ne: null }, password: PASSWORD }],
    ["an operator for a password", { username: "ada", password: { $gt: "" } }],
    ["a list for a password", { username: "ada", password: [PASSWORD] }],
    ["an empty password", { username: "ada", password: "" }],
    ["half of a surrogate pair", { username: "ada", password: "\ud83d" }],
    ["a key that is a path", { username: "ada", password: PASSWORD, "a.b": 1 }],
    ["no body", undefined],
    ["a list", [1]],
    ["a text", "ada"],
  ])("AU2 login refuses before anything is hashed (R8-R12): %s", async (_name, body) => {
    await auth.register("ada");
    hashing.calls = 0;
    const answer = await auth.send("POST", "/api/users/login", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
    expect(hashing.calls).toBe(0);
  });

  it("AU2 a password of a megabyte is refused for its size before anything is hashed (R8)", async () => {
    const answer = await auth.login("ada", "x".repeat(1024 * 1024));
    expect(answer).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect(hashing.calls).toBe(0);
  });

  it("ER1 no password, hash or token is in any log line or error (S9)", async () => {
    const { log, lines } = recordedLog();
    const logged = await startAuth({ log });
    const { token } = await logged.register("ada");
    await logged.login("ada", "wrong password");
    await logged.send("POST", "/api/users/password", {
      token,
      body: { currentPassword: PASSWORD, newPassword: "battery staple" },
    });
    await logged.login("x\r\ny", "a line\r\nbreak");
    const text = lines.join("");
    expect(lines.length).toBeGreaterThan(3);
    for (const secret of [PASSWORD, "wrong password", "battery staple", token, "$2b$", "a line"])
      expect(text).not.toContain(secret);
    await logged.stop();
  });
});
