import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { StartError } from "../errors/start-error.ts";
import { ConfigError } from "./config-error.ts";
import { readConfig } from "./read-config.ts";
import type { Environment } from "./read-config.ts";
import { readVariablesFile } from "./variables-file.ts";
import { variables } from "./variables.ts";

const schema = z.object({
  PORT: variables.port().default(3000),
  TTL_MS: variables.durationMs().default(315_360_000_000),
  OPEN: variables.boolean().default(false),
  ALLOW: variables.list().default([]),
  PROXIES: variables.addressList().optional(),
  HOST: variables.host().default("127.0.0.1"),
  DATA: variables.text(),
  LOG_LEVEL: variables.logLevel().default("info"),
});
const read = (env: Environment) => readConfig(schema, { DATA: "./data", ...env }, { service: "a-service" });

function refusal(env: Environment): ConfigError {
  try {
    readConfig(schema, env, { service: "a-service" });
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("The configuration was accepted");
}

describe("a configuration", () => {
  it("is read from the variables, with defaults for missing ones", () => {
    expect(read({ UNRELATED: "x" })).toEqual({
      PORT: 3000,
      TTL_MS: 315_360_000_000,
      OPEN: false,
      ALLOW: [],
      HOST: "127.0.0.1",
      DATA: "./data",
      LOG_LEVEL: "info",
    });
    const env = {
      PORT: "0",
      TTL_MS: "1",
      OPEN: "1",
      ALLOW: " a, b ,,",
      PROXIES: "::1, 10.0.0.1",
      HOST: "a-b.example",
    };
    expect(read(env)).toMatchObject({
      PORT: 0,
      TTL_MS: 1,
      OPEN: true,
      ALLOW: ["a", "b"],
      PROXIES: ["::1", "10.0.0.1"],
      HOST: "a-b.example",
    });
  });

  it("is refused with the names of all bad variables, and no value", () => {
    const error = refusal({ PORT: "70000", OPEN: "s3cret", TTL_MS: "s3cret", LOG_LEVEL: "s3cret" });
    expect(error.problems.map(({ variable }) => variable).sort()).toEqual([
      "DATA",
      "LOG_LEVEL",
      "OPEN",
      "PORT",
      "TTL_MS",
    ]);
    expect(error.message).toMatch(/^a-service cannot start/);
    expect(error.message).toContain("PORT must be a whole number from 0 to 65535");
    expect(error.message).toContain("DATA is missing");
    expect(error.message).not.toMatch(/s3cret|70000/);
  });

  it.each([
    ["TTL_MS", ["abc", "", " ", "0", "-1", "1e30", "1.5", "9007199254740993", "9".repeat(16), "0x10", " 5"]],
    ["PORT", ["70000", "17878abc", "", "-1", "1e3"]],
    ["OPEN", ["", "yes", "TRUE", "on", "2"]],
    ["HOST", ["", "a b", "http://x", "300.1.1.1", "-a", "a:80", "a..b"]],
    ["PROXIES", ["10.0.0", "localhost", "10.0.0.1;10.0.0.2"]],
    ["DATA", ["", "  "]],
    ["LOG_LEVEL", ["", "verbose"]],
  ])("refuses for %s: %j", (variable, values) => {
    for (const value of values) {
      const { problems } = refusal({ DATA: "./data", [variable]: value });
      expect([value, problems.map((problem) => problem.variable)]).toEqual([value, [variable]]);
    }
  });

  it("keeps every date plus a duration representable", () => {
    const { TTL_MS } = read({ TTL_MS: "3155760000000000" });
    expect(Number.isNaN(new Date(Date.now() + TTL_MS).getTime())).toBe(false);
  });
});

describe("the variables file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "hearth-config-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string): string => {
    const file = path.join(folder, "variables.json");
    writeFileSync(file, text);
    return file;
  };

  it("may be missing", () => {
    expect(readVariablesFile(path.join(folder, "nothing.json"))).toEqual({});
  });

  it("may begin with a byte order mark", () => {
    expect(readVariablesFile(fileWith('\uFEFF{"corsAllowlist":["https://a.example"]}'))).toEqual({
      corsAllowlist: ["https://a.example"],
    });
  });

  it.each(["", "{", '{"token": s3cret}', "[]", "null", '"text"', "5"])(
    "is refused when it holds %j",
    (text) => {
      const read = () => readVariablesFile(fileWith(text));
      expect(read).toThrow(StartError);
      expect(read).toThrow(/variables\.json/);
      expect(read).not.toThrow(/s3cret/);
    },
  );

  it("is refused when it cannot be read", () => {
    expect(() => readVariablesFile(folder)).toThrow(/EISDIR/);
  });
});
