import { readFileSync } from "node:fs";
import path from "node:path";
import type { Writable } from "node:stream";
import { ProblemError } from "@hearth/contracts";
import type { Redis } from "ioredis";
import { createRedisClock, type RedisClock } from "./clock.redis.ts";

/** Runs one operation of a script, atomically. Rejects with `UNAVAILABLE` (rule ER6). */
export type RedisCommand = (operation: string, ...args: readonly string[]) => Promise<readonly string[]>;

/** Redis works, but does not know the connection. */
export class NotRegistered extends ProblemError {
  constructor() {
    super("UNAVAILABLE", "The connection is not registered");
  }
}

interface WithEval {
  readonly [name: string]: (...args: readonly string[]) => Promise<readonly string[]>;
}

const corked = new WeakSet<Writable>();

/** Sends the commands of one event-loop turn in one write; ioredis makes one for each. */
function joinWrites(redis: Redis): void {
  const { stream } = redis as { readonly stream?: Writable };
  if (stream === undefined || corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  setImmediate(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

const clocks = new WeakMap<Redis, RedisClock>();

const clockOf = (redis: Redis): RedisClock => {
  const clock = clocks.get(redis) ?? createRedisClock(redis);
  clocks.set(redis, clock);
  return clock;
};

const PRELUDE = readFileSync(new URL("script.lua", import.meta.url), "utf8");

/**
 * The script in the file `<name>.lua`; all its keys start with `hearth:<name>`. A call without an answer in time either ran
 * before its deadline or never runs.
 */
export function redisCommand(redis: Redis, file: URL): RedisCommand {
  const name = path.basename(file.pathname, ".lua");
  const command = `hearth-${name}`;
  redis.defineCommand(command, { lua: PRELUDE + readFileSync(file, "utf8"), numberOfKeys: 1 });
  const clock = clockOf(redis);
  return async (operation, ...args) => {
    try {
      const run = (redis as unknown as WithEval)[command];
      joinWrites(redis);
      return (await run?.call(redis, `hearth:${name}`, clock.deadline(), operation, ...args)) ?? [];
    } catch (error) {
      if (error instanceof Error && error.message.includes("NOT_REGISTERED")) throw new NotRegistered();
      throw new ProblemError("UNAVAILABLE");
    }
  };
}
