import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { createRedisServer, redisProgram } from "../testing/servers/index.ts";
import type { ServerProcess } from "../testing/servers/index.ts";

const PASSWORD = "password-of-the-test";
const KEYS = {
  gateway: "hearth:limit:gateway:upgrades:1",
  auth: "hearth:limit:auth:attempts:1",
  discovery: "hearth:limit:discovery:joins:1",
  presence: "hearth:roster:node:1",
};
const users = Object.keys(KEYS) as (keyof typeof KEYS)[];

const describeWithRedis = redisProgram === undefined ? describe.skip : describe;

describeWithRedis("the users of deploy/redis.acl (needs redis-server)", () => {
  let server: ServerProcess;
  const open: Redis[] = [];

  const as = (username: string): Redis => {
    const redis = new Redis(server.port, {
      username,
      password: PASSWORD,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
    });
    open.push(redis);
    return redis;
  };

  beforeAll(async () => {
    const template = await readFile(new URL("../../../deploy/redis.acl", import.meta.url), "utf8");
    const file = path.join(await mkdtemp(path.join(tmpdir(), "hearth-acl-")), "users.acl");
    const text = template.replaceAll(/^#.*\n/gm, "").replaceAll(/\$REDIS_PASSWORD_\w+/g, PASSWORD);
    await writeFile(file, text);
    server = await createRedisServer(redisProgram ?? "", { aclFile: file });
    await server.start();
  });

  afterAll(async () => {
    for (const redis of open) redis.disconnect();
    await server.end();
  });

  it.each(users)("let %s use only its own keys", async (user) => {
    const redis = as(user);
    await expect(redis.set(KEYS[user], "1")).resolves.toBe("OK");
    await expect(redis.eval("return redis.call('GET', KEYS[1])", 1, KEYS[user])).resolves.toBe("1");
    for (const other of users.filter((name) => name !== user)) {
      await expect(redis.get(KEYS[other])).rejects.toThrow("NOPERM");
      await expect(redis.eval("return redis.call('GET', KEYS[1])", 1, KEYS[other])).rejects.toThrow(
        /NOPERM|ACL/,
      );
    }
  });

  it.each(users)("let %s neither inspect nor change the server", async (user) => {
    const redis = as(user);
    await expect(redis.keys("*")).rejects.toThrow("NOPERM");
    await expect(redis.scan(0)).rejects.toThrow("NOPERM");
    await expect(redis.flushall()).rejects.toThrow("NOPERM");
    await expect(redis.config("GET", "*")).rejects.toThrow("NOPERM");
    await expect(redis.acl("LIST")).rejects.toThrow("NOPERM");
    await expect(redis.script("FLUSH")).rejects.toThrow("NOPERM");
  });

  it("let only presence publish, and only on the channels of the carrier", async () => {
    await expect(as("presence").spublish("hearth:carrier#/#", "x")).resolves.toBe(0);
    await expect(as("presence").spublish("elsewhere", "x")).rejects.toThrow("NOPERM");
    await expect(as("auth").spublish("hearth:carrier#/#", "x")).rejects.toThrow("NOPERM");
  });

  it("require a password, and let the health check only ping", async () => {
    const health = as("default");
    await expect(health.ping()).resolves.toBe("PONG");
    await expect(health.get("any")).rejects.toThrow("NOPERM");
    const stranger = new Redis(server.port, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    open.push(stranger);
    stranger.on("error", () => undefined);
    await expect(stranger.ping()).rejects.toThrow();
  });
});
