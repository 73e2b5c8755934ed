import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ConfigError } from "../config/config-error.ts";
import { readConfig } from "../config/read-config.ts";
import type { Environment } from "../config/read-config.ts";
import { variables } from "../config/variables.ts";
import { z } from "zod";
import { networkVariables, readProcessConfig } from "./process-config.ts";

const needs = { ...networkVariables.bus, ...networkVariables.redis, ...networkVariables.internal };
const own = (env: Environment) =>
  readConfig(z.object({ OWN: variables.port().default(1) }), env, { service: "test" });
const GOOD = {
  NATS_SERVERS: "nats:4222",
  NATS_USER: "test",
  NATS_PASSWORD: "nats-secret-of-the-test",
  REDIS_URL: "redis://redis:6379",
  REDIS_USER: "test",
  REDIS_PASSWORD: "redis-secret-of-the-test",
  INTERNAL_SECRET: "internal-secret-of-the-test",
};
const problemsOf = (env: Environment): ConfigError => {
  try {
    readProcessConfig("test", needs, own, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("It was accepted");
};
const secretFile = (text: string): string => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "hearth-secret-")), "secret");
  writeFileSync(file, text);
  return file;
};

describe("the configuration of a process", () => {
  it("C12 has no defaults for addresses and secrets, and names all missing ones at once", () => {
    const { problems } = problemsOf({});
    expect(problems.map(({ variable }) => variable).sort()).toEqual(Object.keys(GOOD).sort());
    expect(problems.every(({ problem }) => problem === "is missing")).toBe(true);
  });

  it("C13 names all problems at once and never a value", () => {
    const bad = {
      ...GOOD,
      NATS_SERVERS: "nats://somewhere",
      NATS_PASSWORD: "too-short",
      REDIS_URL: "redis://user:pass-in-a-url@redis:6379",
      INTERNAL_SECRET_FILE: "/nowhere/at/all",
      PORT: "70000",
      OWN: "seventeen",
    };
    const error = problemsOf(bad);
    const named = error.problems.map(({ variable }) => variable);
    for (const variable of [
      "NATS_SERVERS",
      "NATS_PASSWORD",
      "REDIS_URL",
      "INTERNAL_SECRET_FILE",
      "PORT",
      "OWN",
    ])
      expect(named).toContain(variable);
    for (const value of [
      "somewhere",
      "too-short",
      "pass-in-a-url",
      "70000",
      "seventeen",
      "secret-of-the-test",
    ])
      expect(error.message).not.toContain(value);
  });

  it("reads a secret from the file that X_FILE names, without its line end", () => {
    const { INTERNAL_SECRET: _, ...rest } = GOOD;
    const env = { ...rest, INTERNAL_SECRET_FILE: secretFile("secret-from-a-file-1\n") };
    expect(readProcessConfig("test", needs, own, env).network.INTERNAL_SECRET).toBe("secret-from-a-file-1");
    const empty = problemsOf({ ...rest, INTERNAL_SECRET_FILE: secretFile("\n") });
    expect(empty.problems.map(({ variable }) => variable)).toEqual(
      expect.arrayContaining(["INTERNAL_SECRET"]),
    );
  });
});
