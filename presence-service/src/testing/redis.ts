import { afterAll, afterEach, beforeAll, beforeEach, describe } from "@jest/globals";
import { silentLog } from "@hearth/runtime";
import { openRedis } from "@hearth/runtime/network";
import type { RedisOptions } from "@hearth/runtime/network";
import { createRedisServer, redisProgram, until } from "@hearth/runtime/testing";
import type { ServerProcess } from "@hearth/runtime/testing";
import type { Redis } from "ioredis";

export interface RedisUnderTest {
  readonly server: ServerProcess;
  /** Opens one more connection; closed after the test. */
  readonly open: (options?: Pick<RedisOptions, "subscriber" | "commandTimeoutMs">) => Promise<Redis>;
}

/** Longer than any command takes on a busy machine. */
export const PATIENT_MS = 10_000;

/** A suite over a real Redis, emptied before each test; on a machine without one it is reported as not run. */
export function describeWithRedis(name: string, suite: (redis: RedisUnderTest) => void): void {
  const known = redisProgram === undefined ? describe.skip : describe;
  known(`${name} (needs redis-server)`, () => {
    let server: ServerProcess;
    const opened: Redis[] = [];
    const open: RedisUnderTest["open"] = async ({
      subscriber = false,
      commandTimeoutMs = PATIENT_MS,
    } = {}) => {
      const url = `redis://127.0.0.1:${server.port}`;
      const redis = openRedis({ url, log: silentLog, subscriber, commandTimeoutMs });
      opened.push(redis);
      await until(() => redis.status === "ready");
      return redis;
    };
    beforeAll(async () => {
      server = await createRedisServer(redisProgram ?? "");
      await server.start();
    });
    beforeEach(async () => {
      await (await open()).flushall();
    });
    afterEach(() => {
      for (const redis of opened.splice(0)) redis.disconnect();
    });
    afterAll(() => server.end());
    suite({
      get server() {
        return server;
      },
      open,
    });
  });
}
