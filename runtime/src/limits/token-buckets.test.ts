import { ProblemError } from "@hearth/contracts";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { TokenBuckets } from "./token-buckets.ts";

describe("token buckets", () => {
  let now = 0;
  let buckets: TokenBuckets;
  beforeEach(() => {
    now = 1_000;
    buckets = new TokenBuckets({ name: "writes", perSecond: 20, burst: 60, now: () => now });
  });
  const taken = (key: string, tries: number): number => {
    let count = 0;
    for (let index = 0; index < tries; index++) {
      try {
        buckets.take(key);
        count += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
      }
    }
    return count;
  };

  it("AB3 give each key its burst and then its rate, however often it is refused", () => {
    expect([taken("ada", 200), taken("bo", 10)]).toEqual([60, 10]);
    now += 1_000;
    expect(taken("ada", 200)).toBe(20);
    now += 60_000;
    expect(taken("ada", 200)).toBe(60);
  });

  it("AB3 ER5 name the budget and the time to retry", () => {
    taken("ada", 60);
    const quota = { name: "writes", limit: 60, windowSeconds: 3, remaining: 0, resetSeconds: 1 };
    expect(() => buckets.take("ada")).toThrow(
      expect.objectContaining({ code: "RATE_LIMITED", extras: { retryAfterMs: 50, quota } }),
    );
  });

  it("AB3 keep no bucket for longer than it takes to fill", () => {
    for (let index = 0; index < 1_000; index++) buckets.take(`key-${index}`);
    expect(buckets.size).toBe(1_000);
    now += 3_000;
    buckets.take("ada");
    expect(buckets.size).toBe(1);
  });
});
