import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Redis } from "ioredis";
import { createRedisClock } from "./clock.redis.ts";

const HOUR_MS = 3_600_000;

/** A Redis whose clock is ahead of this process' clock; it answers only `time`. */
class Stub extends EventEmitter {
  readonly options = { commandTimeout: 1_000 };
  aheadMs = 0;
  slowMs = 0;

  async time(): Promise<[number, number]> {
    const now = Date.now() + this.aheadMs;
    await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    return [Math.floor(now / 1_000), (now % 1_000) * 1_000];
  }
}

const start = async () => {
  const redis = new Stub();
  const clock = createRedisClock(redis as unknown as Redis);
  const first = clock.deadline();
  await jest.advanceTimersByTimeAsync(5);
  return { redis, clock, first };
};

/** Milliseconds from now until the deadline, by that clock. */
const left = (deadline: string, aheadMs = 0): number => Number(deadline) - Date.now() - aheadMs;

describe("the clock of Redis", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it("I6 names a deadline a little before the caller gives up, and none while the clock is unknown", async () => {
    const { clock, first } = await start();
    expect(first).toBe("");
    expect(left(clock.deadline())).toBeGreaterThan(600);
    expect(left(clock.deadline())).toBeLessThan(1_000);
  });

  it("I6 follows Redis' clock, also after that was set", async () => {
    const { redis, clock } = await start();
    redis.aheadMs = HOUR_MS;
    await jest.advanceTimersByTimeAsync(1_000);
    clock.deadline();
    await jest.advanceTimersByTimeAsync(5);
    expect(Math.abs(left(clock.deadline(), HOUR_MS) - 800)).toBeLessThan(200);
  });

  it("I6 keeps its precision after a late answer, and recovers after the clock was set back", async () => {
    const { redis, clock } = await start();
    redis.slowMs = 700;
    await jest.advanceTimersByTimeAsync(1_000);
    clock.deadline();
    await jest.advanceTimersByTimeAsync(750);
    expect(left(clock.deadline())).toBeGreaterThan(600);
    redis.slowMs = 0;
    redis.aheadMs = -HOUR_MS;
    await jest.advanceTimersByTimeAsync(1_000);
    clock.deadline();
    await jest.advanceTimersByTimeAsync(5);
    expect(Math.abs(left(clock.deadline(), -HOUR_MS) - 800)).toBeLessThan(200);
  });

  it("I6 is unknown after the connection closes", async () => {
    const { redis, clock } = await start();
    redis.emit("close");
    expect(clock.deadline()).toBe("");
  });
});
