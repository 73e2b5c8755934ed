import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createMetrics } from "../metrics/metrics.ts";
import { describeLimiterContract } from "../testing/limiter.contract.ts";
import { addressBlock } from "./address-block.ts";
import { createMemoryLimiters } from "./memory-limiter.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describeLimiterContract("The in-memory limiter", async () => ({
  limiters: createMemoryLimiters(),
  pass: async (ms) => jest.advanceTimersByTime(ms),
}));

describe("the in-memory limiter", () => {
  it("keeps the limiters of one factory apart", async () => {
    const factory = createMemoryLimiters();
    const one = factory({ name: "one", points: 1, windowMs: 1000 });
    const two = factory({ name: "two", points: 1, windowMs: 1000 });
    await one.consume("a");
    await expect(two.consume("a")).resolves.toMatchObject({ name: "two", remaining: 0 });
  });

  it("recovers when the wall clock is set back by an hour", async () => {
    const limiter = createMemoryLimiters()({ name: "one", points: 1, windowMs: 1000 });
    await limiter.consume("a");
    jest.setSystemTime(Date.now() - 3_600_000);
    jest.advanceTimersByTime(1_001);
    await expect(limiter.consume("a")).resolves.toMatchObject({ remaining: 0 });
  });

  it("counts refusals by limiter", async () => {
    const metrics = createMetrics({ process: false });
    const limiter = createMemoryLimiters(metrics)({ name: "one", points: 1, windowMs: 1000 });
    await limiter.consume("a");
    await expect(limiter.consume("a")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    await expect(limiter.check("a")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await metrics.text()).toContain('hearth_limiter_refusals_total{limiter="one"} 2');
  });

  it("drops keys when their windows end", async () => {
    const limiter = createMemoryLimiters()({ name: "one", points: 1, windowMs: 1000 });
    await Promise.all(["a", "b", "c"].map((key) => limiter.consume(key)));
    expect(jest.getTimerCount()).toBe(3);
    jest.advanceTimersByTime(1_001);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe("an address block", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
    ["", "unknown"],
    ["evil\r\nx", "unknown"],
    ["300.1.1.1", "unknown"],
    ["2130706433", "unknown"],
  ])("AU8 takes %j for %s", (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});
