import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ObservedBcrypt, PASSWORD, startAuth } from "../../testing/service.ts";
import type { RunningAuth } from "../../testing/service.ts";

let auth: RunningAuth;
let hashing: ObservedBcrypt;
beforeEach(async () => {
  hashing = new ObservedBcrypt();
  auth = await startAuth({ bcrypt: hashing });
});
afterEach(() => auth.stop());

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

  it("AU8 concurrent wrong passwords gain nothing: ten are checked (X12)", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    hashing.calls = 0;
    const answers = await Promise.all(Array.from({ length: 60 }, () => wrong("ada", home)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50);
    expect(hashing.calls).toBe(10);
  });

  it("AU8 a blocked login is refused at once, without waiting for running hashes", async () => {
    await auth.register("ada", { from: "192.0.2.99" });
    for (let n = 0; n < 10; n += 1) await wrong("ada", home);
    let release: (value: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (release = resolve));
    hashing.beforeCompare = () => held;
    const busy = Array.from({ length: 9 }, (_, n) => auth.login("ada", PASSWORD, { from: `192.0.2.${n}` }));
    expect((await wrong("ada", home)).status).toBe(429);
    release(undefined);
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual(busy.map(() => 200));
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

  it("AU8 strangers have 100 wrong passwords in total; an address the owner used before has its own count (S6)", async () => {
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
