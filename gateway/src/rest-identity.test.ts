import { describe, expect, it } from "@jest/globals";
import { gatewayBefore, head } from "./testing/bad-input.ts";
import { statusesOf } from "./testing/raw-client.ts";
import { createWorld } from "./testing/world.ts";
import type { Twin } from "./testing/world.ts";

const SERVER = "0198c3a2-5e90-7b11-a3c4-9d8e7f6a5b10";

/** Tokens and headers of the kind that others were fooled with; each has the number of its case in the title. */
describe.each<Twin>(["local", "remote"])("bad input to %s services", (twin) => {
  const { world, raw } = gatewayBefore(twin);

  describe("tokens", () => {
    const token = "0123456789abcdef".repeat(4);
    const asked = async (
      lines: readonly string[],
      target = "/api/users/me",
    ): Promise<[number | undefined, boolean, string]> => {
      const before = world().auth.asked.count;
      const received = await raw(head(target, lines));
      return [statusesOf(received)[0], world().auth.asked.count > before, received];
    };

    it.each<[string, readonly string[], number, boolean]>([
      ["R16 none", [], 401, false],
      ["R17 63 characters", [`Authorization: Bearer ${token.slice(1)}`], 401, false],
      ["R17 65 characters", [`Authorization: Bearer ${token}0`], 401, false],
      ["R17 not hexadecimal", [`Authorization: Bearer ${"z".repeat(64)}`], 401, false],
      ["R18 upper-case hexadecimal", [`Authorization: Bearer ${token.toUpperCase()}`], 401, false],
      ["R19 two headers", [`Authorization: Bearer ${token}`, `authorization: Bearer ${token}`], 400, false],
      ["R20 Basic", ["Authorization: Basic YTpi"], 401, false],
      ["R20 two spaces", [`Authorization: Bearer  ${token}`], 401, false],
      ["R21 unknown or expired", [`Authorization: Bearer ${token}`], 401, true],
      ["R2 a JWT of somebody's", ["Authorization: Bearer e30.e30.e30"], 401, false],
    ])("GW2 %s: auth is not asked without need", async (_case, lines, status, asks) => {
      const [answered, wasAsked] = await asked(lines);
      expect([answered, wasAsked]).toEqual([status, asks]);
    });

    it("R16 R17 the challenge names an error only when a token was presented", async () => {
      expect((await asked([]))[2]).toMatch(/www-authenticate: Bearer\r\n/i);
      expect((await asked(["Authorization: Bearer x"]))[2]).toMatch(
        /www-authenticate: Bearer error="invalid_token"\r\n/i,
      );
    });

    it("R19 a token in the query is ignored", async () => {
      const [status, wasAsked] = await asked([], `/api/users/me?token=${token}&access_token=${token}`);
      expect([status, wasAsked]).toEqual([401, false]);
    });

    it.each(["bearer", "BEARER"])("R20 the scheme may be written %s", async (scheme) => {
      const signedIn = world().auth.signIn();
      expect((await asked([`Authorization: ${scheme} ${signedIn.token}`]))[0]).toBe(200);
    });

    it("R22 R23 a revoked token is 401, also the second time", async () => {
      const signedIn = world().auth.signIn();
      const logout = async (): Promise<number> => {
        const headers = { authorization: `Bearer ${signedIn.token}` };
        return (await world().fetch("/api/users/logout", { method: "POST", headers })).status;
      };
      expect(await logout()).toBe(204);
      await world().auth.end(signedIn);
      expect([await logout(), await logout()]).toEqual([401, 401]);
    });
  });

  it("GW2 S2 R29 no header that names an identity or an address reaches a service", async () => {
    const forged = {
      "x-user-id": "admin",
      "x-internal-user": "admin",
      "x-account": "admin",
      "x-forwarded-for": "6.6.6.6",
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "https",
      "x-real-ip": "6.6.6.6",
      "x-request-id": "theirs",
      forwarded: "for=6.6.6.6",
      cookie: "session=admin",
      authorization: "Bearer e30.e30.e30",
    };
    await world().fetch("/api/servers", { headers: forged });
    const { headers, rawHeaders } = world().arrivals.at(-1) ?? {};
    const seen = JSON.stringify([headers, rawHeaders]);
    for (const secret of ["admin", "6.6.6.6", "evil.test", "theirs", "e30.e30"])
      expect(seen).not.toContain(secret);
    expect(headers?.["x-forwarded-for"]).toBe("127.0.0.1");
  });

  it("GW2 S2 a header that Connection nominates does not get around that", async () => {
    const id = world().auth.signIn();
    const lines = [`Authorization: Bearer ${id.token}`];
    const received = await raw(
      head("/api/users/me", lines).replace("close", "close, authorization, x-forwarded-for"),
    );
    expect(statusesOf(received)).toEqual([200]);
    expect(world().arrivals.at(-1)?.headers["x-forwarded-for"]).toBe("127.0.0.1");
  });

  it("GW4 a foreign origin gets an answer that its page may not read", async () => {
    const answer = await world().fetch("/api/servers", { headers: { origin: "https://evil.test" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  it("GW3 a private answer is not kept by caches", async () => {
    const { token } = world().auth.signIn();
    const answer = await world().fetch(`/api/servers/${SERVER}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("behind a proxy", () => {
  it("GW6 AU8 services get the address that the trusted proxy names, and nothing to the left of it", async () => {
    const world = await createWorld({ env: { TRUST_PROXY: "loopback" } });
    await world.fetch("/api/servers", { headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.7" } });
    expect(world.arrivals.at(-1)?.headers["x-forwarded-for"]).toBe("203.0.113.7");
    await world.close();
  });
});
