import { describe, expect, it } from "@jest/globals";
import { ConfigError } from "@hearth/runtime";
import type { Environment } from "@hearth/runtime";
import { readGatewayConfig } from "./config.ts";

const problemsOf = (file: Readonly<Record<string, unknown>>, env: Environment) => {
  try {
    readGatewayConfig(file, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("The configuration was taken");
};

describe("the gateway's configuration", () => {
  it("has defaults for everything", () => {
    const config = readGatewayConfig({}, {});
    expect(config).toMatchObject({ corsAllowlist: [], socketsPerAddress: 500, upgradesPerMinute: 1000 });
    expect(config.connectionsPerAddress).toBe(1000);
    expect(config.budgets).toEqual({
      accountWrites: 20,
      addressWrites: 20,
      addressSearches: 5,
      addressReads: 50,
    });
    expect(config.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(config.trustProxy("127.0.0.1", 0)).toBe(false);
  });

  it.each([
    ["a list", ["https://a.test/", " https://B.test "]],
    ["text", "https://a.test/, https://B.test,"],
  ])("GW4 takes corsAllowlist as %s and normalises it", (_form, corsAllowlist) => {
    expect(readGatewayConfig({ corsAllowlist }, {}).corsAllowlist).toEqual([
      "https://a.test",
      "https://b.test",
    ]);
  });

  it("GW4 C6 lets the environment override the file", () => {
    const file = { corsAllowlist: ["https://file.test"] };
    const allowed = (env: Environment) => readGatewayConfig(file, env).corsAllowlist;
    expect(allowed({ CORS_ALLOWLIST: "https://env.test" })).toEqual(["https://env.test"]);
    expect(allowed({ CORS_ALLOWLIST: "" })).toEqual(["https://file.test"]);
  });

  it.each(["*", "a.test", "https://a.test,*", "https://a.test/path", "null"])(
    "GW4 C5 refuses CORS_ALLOWLIST %s by name, without its value",
    (value) => {
      const error = problemsOf({}, { CORS_ALLOWLIST: value });
      expect(error.problems.map(({ variable }) => variable)).toEqual(["CORS_ALLOWLIST"]);
      expect(error.message).not.toContain("a.test");
    },
  );

  it("GW4 names every bad variable at once", () => {
    const env = {
      CORS_ALLOWLIST: "*",
      TRUST_PROXY: "true",
      MAX_SOCKETS_PER_ADDRESS: "-1",
      MAX_UPGRADES_PER_MINUTE: "x",
      MAX_ADDRESS_READS_PER_SECOND: "1.5",
    };
    const error = problemsOf({ corsAllowlist: 5 }, env);
    expect(error.problems.map(({ variable }) => variable).sort()).toEqual([
      "CORS_ALLOWLIST",
      "MAX_ADDRESS_READS_PER_SECOND",
      "MAX_SOCKETS_PER_ADDRESS",
      "MAX_UPGRADES_PER_MINUTE",
      "TRUST_PROXY",
      "corsAllowlist",
    ]);
  });

  it("C10 reports unknown keys for a warning", () => {
    expect(readGatewayConfig({ corsAllowList: [], x: 1 }, {}).unknownVariables).toEqual([
      "corsAllowList",
      "x",
    ]);
  });
});
