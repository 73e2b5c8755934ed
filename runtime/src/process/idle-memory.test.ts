import { beforeEach, describe, expect, it } from "@jest/globals";
import { IdleMemory } from "./idle-memory.ts";

const MB = 1024 * 1024;

describe("the memory of an idle process", () => {
  let collected: number;
  let memory: IdleMemory;
  beforeEach(() => {
    collected = 0;
    memory = new IdleMemory(() => (collected += 1));
    memory.check({ residentBytes: 150 * MB, usedHeapBytes: 30 * MB, utilization: 0 }, 0);
  });
  const check = (resident: number, now: number, { used = 60, utilization = 0 } = {}): number => {
    memory.check({ residentBytes: resident * MB, usedHeapBytes: used * MB, utilization }, now);
    return collected;
  };

  it("AB2 is given back after it has grown", () => {
    expect(check(181, 5_000)).toBe(0);
    expect(check(182, 10_000)).toBe(1);
  });

  it("is left alone while the process is busy, or when a collection would take long", () => {
    expect(check(400, 5_000, { utilization: 0.11 })).toBe(0);
    expect(check(400, 10_000, { used: 129 })).toBe(0);
    expect(check(400, 15_000)).toBe(1);
  });

  it("is not collected again while it is in use", () => {
    expect(check(400, 5_000)).toBe(1);
    expect(check(300, 50_000)).toBe(1);
    expect(check(331, 100_000)).toBe(1);
    expect(check(332, 150_000)).toBe(2);
  });

  it("is collected at most every 15 s", () => {
    expect(check(400, 5_000)).toBe(1);
    check(150, 10_000);
    expect(check(400, 19_000)).toBe(1);
    expect(check(400, 20_000)).toBe(2);
  });
});
