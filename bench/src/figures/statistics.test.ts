import { describe, expect, it } from "@jest/globals";
import { median, pairedRatios, percentile, spread } from "./statistics.ts";

describe("statistics", () => {
  it("takes the middle value, or the mean of the two", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it("takes percentiles by nearest rank", () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect(percentile(values, 50)).toBe(100);
    expect(percentile(values, 99)).toBe(198);
    expect(percentile(values, 100)).toBe(200);
    expect(percentile([7], 1)).toBe(7);
    expect(percentile([], 50)).toBeNaN();
  });

  it("says how far repetitions lie apart", () => {
    expect(spread([5, 1, 3])).toEqual({ median: 3, min: 1, max: 5 });
  });

  it("compares repetition with repetition, and refuses uneven sides", () => {
    expect(pairedRatios([2, 9], [4, 3])).toEqual([0.5, 3]);
    expect(() => pairedRatios([1], [1, 2])).toThrow("different numbers");
  });
});
