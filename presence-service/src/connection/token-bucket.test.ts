import { describe, expect, it } from "@jest/globals";
import { TokenBucket } from "./token-bucket.ts";

const rate = { perSecond: 10, burst: 3 };

describe("a token bucket", () => {
  it("WS12 grants its burst at once, then names the time to the next token", () => {
    const bucket = new TokenBucket(rate, 0);
    expect([bucket.take(0), bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([0, 0, 0, 100]);
    expect([bucket.take(60), bucket.take(100), bucket.take(100)]).toEqual([40, 0, 100]);
  });

  it("WS12 holds no more than its burst, however long it rests", () => {
    const bucket = new TokenBucket(rate, 0);
    expect([1, 2, 3, 4].map(() => bucket.take(1_000_000))).toEqual([0, 0, 0, 100]);
  });

  it("WS12 neither fills nor stops if the clock is set back", () => {
    const bucket = new TokenBucket(rate, 1_000_000);
    for (let n = 0; n < 3; n++) bucket.take(1_000_000);
    expect(bucket.take(0)).toBe(100);
    expect(bucket.take(100)).toBe(0);
  });
});
