import { describe, expect, it } from "@jest/globals";
import { ConfigError } from "@hearth/runtime";
import { readAuthConfig } from "./config.ts";

const TEN_YEARS = String(10 * 365 * 24 * 3_600_000);

describe("configuration", () => {
  it("AU4 sessions last ten years by default, AU3 at a cost of 12", () => {
    expect(readAuthConfig({})).toEqual({
      sessionTtlMs: Number(TEN_YEARS),
      bcryptCost: 12,
      registration: "open",
      maxDeviceTokens: 16,
      maxWaitingPerAddress: 4,
    });
    expect(readAuthConfig({ SESSION_TOKEN_TTL_MS: TEN_YEARS }).sessionTtlMs).toBe(Number(TEN_YEARS));
    expect(readAuthConfig({ SESSION_TOKEN_TTL_MS: "1", BCRYPT_COST: "10" })).toMatchObject({
      sessionTtlMs: 1,
      bcryptCost: 10,
    });
  });

  it.each(["abc", "", "0", "-1", "1e30", "1.5", " 5", "0x10", "99999999999999999999", "Infinity"])(
    "AU4 refuses to start with SESSION_TOKEN_TTL_MS=%p, naming it and not its value (C1-C4)",
    (value) => {
      const read = () => readAuthConfig({ SESSION_TOKEN_TTL_MS: value });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(/SESSION_TOKEN_TTL_MS/);
      if (value.trim().length > 3) expect(read).not.toThrow(new RegExp(value));
    },
  );

  it.each(["9", "16", "twelve", "", "10.5", "-12"])("AU3 refuses to start with BCRYPT_COST=%p", (value) => {
    expect(() => readAuthConfig({ BCRYPT_COST: value })).toThrow(/BCRYPT_COST/);
  });

  it("AU4 names all invalid variables at once", () => {
    try {
      readAuthConfig({ SESSION_TOKEN_TTL_MS: "abc", BCRYPT_COST: "1" });
      throw new Error("it was accepted");
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).problems.map(({ variable }) => variable)).toEqual([
        "SESSION_TOKEN_TTL_MS",
        "BCRYPT_COST",
      ]);
    }
  });
});
