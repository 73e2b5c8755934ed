import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import { silentLog } from "../log/log.ts";
import { openRedis } from "../storage/redis.ts";
import { describeLimiterContract } from "../testing/limiter.contract.ts";
import { redisProgram } from "../testing/servers/config.ts";
import { createRedisServer } from "../testing/servers/redis.ts";
import type { ServerProcess } from "../testing/servers/server-process.ts";
import { until } from "../testing/until.ts";
import { createRedisLimiters } from "./redis-limiter.ts";

const program = redisProgram ?? "";
const suite = redisProgram === undefined ? describe.skip : describe;
const options = { name: "shared", points: 3, windowMs: 60_000 };
/** How long who asks a frozen Redis waits for it, and leaves it alone then. */
const GIVES_UP_MS = 400;
const PAUSE_MS = 800;

suite("the Redis limiters (need redis-server)", () => {
  let server: ServerProcess;
  let redis: Redis;
  const opened: Redis[] = [];

  const open = async (commandTimeoutMs?: number): Promise<Redis> => {
    const url = `redis://127.0.0.1:${server.port}`;
    const patience = commandTimeoutMs === undefined ? {} : { commandTimeoutMs };
    const client = openRedis({ url, log: silentLog, ...patience });
    opened.push(client);
    await until(() => client.status === "ready");
    return client;
  };

  beforeAll(async () => {
    server = await createRedisServer(program);
    await server.start();
  });
  beforeEach(async () => {
    redis = await open();
    await redis.flushall();
  });
  afterEach(() => {
    for (const client of opened.splice(0)) client.disconnect();
  });
  afterAll(() => server.end());

  /** A window is how long Redis still keeps its key. */
  const pass = async (ms: number): Promise<void> => {
    for (const key of await redis.keys("*")) await redis.pexpire(key, (await redis.pttl(key)) - ms);
  };

  describeLimiterContract("the Redis limiter", async () => {
    await redis.flushall();
    return { limiters: createRedisLimiters(redis, "test"), pass };
  });

  it("AU8 opens again when the window ends in Redis", async () => {
    const limiter = createRedisLimiters(redis, "test")({ name: "short", points: 1, windowMs: 1_000 });
    await limiter.consume("a");
    await setTimeout(1_050);
    await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 0 });
  });

  it("AU8 lets exactly the limit through over two replicas", async () => {
    const limiters = [redis, await open()].map((client) => createRedisLimiters(client, "test")(options));
    const hits = limiters.flatMap((limiter) => Array.from({ length: 20 }, () => limiter.consume("a")));
    const outcomes = await Promise.allSettled(hits);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("F7 counts locally while Redis is down, refuses nobody because of it, and shares counts afterwards", async () => {
    const [mine, other] = [redis, await open()].map((client) => createRedisLimiters(client, "test")(options));
    await mine?.consume("a");
    await server.end("SIGKILL");
    for (let n = 0; n < 3; n++) await mine?.consume("a");
    await expect(mine?.consume("a")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await expect(mine?.check("b")).resolves.toMatchObject({ remaining: 3 });
    await expect(mine?.reset("a")).resolves.toBeUndefined();
    await server.start();
    await until(() => opened.every(({ status }) => status === "ready"));
    for (let n = 0; n < 3; n++) await mine?.consume("c");
    await expect(other?.consume("c")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("F7 waits no longer than its deadline for a frozen Redis", async () => {
    const limiter = createRedisLimiters(await open(GIVES_UP_MS), "test")(options);
    server.signal("SIGSTOP");
    try {
      await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 2 });
    } finally {
      server.signal("SIGCONT");
    }
  });

  it("F7 lets one caller per pause wait for a frozen Redis, and shares counts soon after its return", async () => {
    const factory = createRedisLimiters(await open(GIVES_UP_MS), "test", undefined, PAUSE_MS);
    const [mine, another] = [factory(options), factory({ ...options, name: "another" })];
    const other = createRedisLimiters(await open(), "test")(options);
    server.signal("SIGSTOP");
    const times = { waits: 0 };
    const end = performance.now() + 2 * GIVES_UP_MS + 1.5 * PAUSE_MS;
    try {
      while (performance.now() < end) {
        const before = performance.now();
        await Promise.all([another.check("b"), mine.check("b"), setTimeout(5)]);
        if (performance.now() - before > 0.6 * GIVES_UP_MS) times.waits += 1;
      }
    } finally {
      server.signal("SIGCONT");
    }
    expect(times.waits).toBe(2);
    await setTimeout(PAUSE_MS + 50);
    await mine.check("c");
    for (let n = 0; n < 3; n++) await mine.consume("c");
    await expect(other.consume("c")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });
});
