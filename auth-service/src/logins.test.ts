import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newId } from "@hearth/runtime";
import { recordedLog } from "@hearth/runtime/testing";
import * as bcrypt from "bcrypt";
import { PASSWORD, startAuth } from "./auth.fixture.ts";
import type { Answer, RunningAuth } from "./auth.fixture.ts";
import type { Bcrypt } from "./passwords.ts";

/** Real bcrypt that counts its calls and can be made to wait. */
class ObservedBcrypt implements Bcrypt {
  calls = 0;
  rounds = 0;
  beforeHash: () => Promise<unknown> = async () => undefined;

  async hash(data: string, cost: number): Promise<string> {
    this.#count(cost);
    await this.beforeHash();
    return bcrypt.hash(data, cost);
  }

  async compare(data: string, hash: string): Promise<boolean> {
    this.#count(Number(hash.slice(4, 6)));
    return bcrypt.compare(data, hash);
  }

  #count(cost: number): void {
    this.calls += 1;
    this.rounds += 2 ** cost;
  }
}

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
  await auth.store.importAccounts([{ ...account, createdAt: 0, version: 1 }], "all");
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

  it("AU3 two logins upgrade one legacy hash at once: both get in, one hash stays (X11)", async () => {
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

  it("AU3 an unknown user is answered like a wrong password, after the same work (S5)", async () => {
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

  it("AU3 the same on every surface: a wrong current password is INVALID_CREDENTIALS too", async () => {
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

describe("limits on logins", () => {
  const home = "203.0.113.1";
  const wrong = (name: string, from: string) => auth.login(name, "wrong password", { from });

  it("AU8 register and login are counted together: 100 per address", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      statuses.push((await auth.login(`user${n}`)).status);
      const body = { username: `user${n}`, password: PASSWORD };
      statuses.push((await auth.send("POST", "/api/users/register", { body })).status);
    }
    expect(statuses.slice(0, 100)).not.toContain(429);
    expect(statuses.slice(100)).toEqual(statuses.slice(100).map(() => 429));
  });

  it("AU8 200 logins at once from one address: exactly 100 pass, 100 are 429 (L-8)", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => auth.login("ada", PASSWORD, { from: home })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    const blocked = answers.filter(({ status }) => status === 429);
    expect(blocked).toHaveLength(100);
    for (const { headers, body } of blocked) {
      expect(body.code).toBe("RATE_LIMITED");
      const retryAfter = Number(headers.get("retry-after"));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(900);
      expect(headers.get("ratelimit-policy")).toContain("auth-attempts");
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
    }
    expect((await auth.login("ada", PASSWORD, { from: "192.0.2.98" })).status).toBe(200);
  });

  it("AU8 the headers of an answer count the address's attempts down", async () => {
    const remaining = async () => Number((await auth.login("nobody")).headers.get("x-ratelimit-remaining"));
    expect([await remaining(), await remaining(), await remaining()]).toEqual([99, 98, 97]);
  });

  it("AU8 addresses of one IPv6 /64 and the IPv4 form in IPv6 are one client (S6)", async () => {
    const remaining = async (from: string) =>
      Number((await auth.login("nobody", PASSWORD, { from })).headers.get("x-ratelimit-remaining"));
    expect(await remaining("2001:db8:1:2::1")).toBe(99);
    expect(await remaining("2001:db8:1:2:ffff::9")).toBe(98);
    expect(await remaining("2001:db8:1:3::1")).toBe(99);
    expect(await remaining("198.51.100.1")).toBe(99);
    expect(await remaining("::ffff:198.51.100.1")).toBe(98);
    expect(await remaining("::ffff:198.51.100.2")).toBe(99);
  });

  it("AU8 ten wrong passwords from one address, then 429 without hashing, the right one included", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await wrong("ada", home)).status);
    expect(statuses).toEqual(statuses.map(() => 401));
    hashing.calls = 0;
    expect(await wrong("ada", home)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect((await auth.login("ADA", PASSWORD, { from: home })).status).toBe(429);
    expect(hashing.calls).toBe(0);
    expect((await auth.login("ada", PASSWORD, { from: "192.0.2.99" })).status).toBe(200);
    expect((await auth.register("bob", { from: home })).username).toBe("bob");
  });

  it("AU8 wrong passwords sent all at once gain nothing: ten are looked at (X12)", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    hashing.calls = 0;
    const answers = await Promise.all(Array.from({ length: 60 }, () => wrong("ada", home)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(hashing.calls).toBe(10);
  });

  it("AU8 an unknown account is limited in the same way, so that its existence does not show", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    const courseOf = async (name: string, from: string) => {
      const answers: unknown[] = [];
      for (let n = 0; n < 12; n += 1) {
        const { status, body } = await wrong(name, from);
        answers.push([status, body.code]);
      }
      return answers;
    };
    expect(await courseOf("nobody", "198.51.100.1")).toEqual(await courseOf("ada", "198.51.100.2"));
  });

  it("AU8 a success resets the account's count at its address", async () => {
    await auth.register("ada");
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 9; n += 1) expect((await wrong("ada", home)).status).toBe(401);
      expect((await auth.login("ada", PASSWORD, { from: home })).status).toBe(200);
    }
  });

  it("AU8 strangers have 100 wrong passwords in all; the victim, where it logged in before, has its own (S6)", async () => {
    await auth.register("victim", { from: home });
    let refused = 0;
    for (let n = 0; n < 120; n += 1) {
      const { status } = await wrong("victim", `198.51.100.${Math.floor(n / 10)}`);
      if (status === 429) refused += 1;
    }
    expect(refused).toBe(20);
    const fresh = "198.51.100.200";
    expect((await auth.login("victim", PASSWORD, { from: fresh })).status).toBe(429);
    expect((await auth.login("victim", PASSWORD, { from: home })).status).toBe(200);
    expect((await auth.login("victim", PASSWORD, { from: fresh })).status).toBe(200);
  });

  it("AU8 the case of the name makes no difference to the count (S6)", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    const spellings = ["ada", "Ada", "ADA", "aDA", "adA"];
    for (let n = 0; n < 10; n += 1) await wrong(spellings[n % 5] ?? "", home);
    expect((await wrong("AdA", home)).status).toBe(429);
  });

  it("AU8 wrong current passwords count too, on both routes that ask for one", async () => {
    const { token } = await auth.register("ada");
    for (let n = 0; n < 5; n += 1) {
      const body = { currentPassword: "wrong password" };
      expect((await auth.send("DELETE", "/api/users/sessions", { token, body })).status).toBe(401);
      const change = { ...body, newPassword: "battery staple" };
      expect((await auth.send("POST", "/api/users/password", { token, body: change })).status).toBe(401);
    }
    hashing.calls = 0;
    const right = { currentPassword: PASSWORD };
    expect((await auth.send("DELETE", "/api/users/sessions", { token, body: right })).status).toBe(429);
    expect((await auth.login("ada")).status).toBe(429);
    expect(hashing.calls).toBe(0);
  });

  it("AU8 outcomes are counted: ok, wrong, blocked, unavailable", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    await auth.login("ada", PASSWORD, { from: "192.0.2.99" });
    for (let n = 0; n < 12; n += 1) await wrong("ada", home);
    auth.store.knowsAddress = () => Promise.reject(new Error("away"));
    await wrong("ada", home);
    const text = await auth.metrics.text();
    for (const [result, count] of Object.entries({ ok: 1, wrong: 10, blocked: 2, unavailable: 1 }))
      expect(text).toContain(`hearth_auth_logins_total{result="${result}"} ${count}`);
    expect(text).toContain('hearth_auth_hashing{state="running"} 0');
  });
});
