import { describe, expect, it } from "@jest/globals";
import { COLD, heated, joinPoints, messagePoints, scoreAt } from "./trending.ts";

const DAY = 24 * 60 * 60_000;
const NOW = 1_800_000_000_000;

describe("trending", () => {
  it("DI2 halves a score in two days", () => {
    const heat = heated(COLD, 8, NOW);
    expect(scoreAt(heat, NOW)).toBeCloseTo(8, 6);
    expect(scoreAt(heat, NOW + 2 * DAY)).toBeCloseTo(4, 6);
    expect(scoreAt(heat, NOW + 20 * DAY)).toBeCloseTo(8 / 1024, 6);
  });

  it("DI2 adds new points to the rest of the old ones", () => {
    const heat = heated(heated(COLD, 8, NOW), 3, NOW + 2 * DAY);
    expect(scoreAt(heat, NOW + 2 * DAY)).toBeCloseTo(7, 6);
  });

  it("DI2 compares two servers like their decayed scores, without rewriting the idle one", () => {
    const busyLastWeek = heated(COLD, 100, NOW - 7 * DAY);
    const busyNow = heated(COLD, 10, NOW);
    expect(scoreAt(busyLastWeek, NOW)).toBeLessThan(10);
    expect(busyNow).toBeGreaterThan(busyLastWeek);
    expect(heated(COLD, 100, NOW - DAY)).toBeGreaterThan(busyNow);
  });

  it("DI2 counts the same in any order of points", () => {
    const one = heated(heated(heated(COLD, 5, NOW), 2, NOW + DAY), 9, NOW - DAY);
    const other = heated(heated(heated(COLD, 9, NOW - DAY), 5, NOW), 2, NOW + DAY);
    expect(one).toBeCloseTo(other, 9);
  });

  it("DI2 weighs a join more than a message", () => {
    expect(joinPoints(1)).toBeGreaterThan(messagePoints(1));
  });

  it("DI2 never overflows, in a hundred years either", () => {
    const heat = heated(heated(COLD, 1e12, NOW), 1, NOW + 36_500 * DAY);
    expect(Number.isFinite(heat)).toBe(true);
    expect(scoreAt(heat, NOW + 36_500 * DAY)).toBeCloseTo(1, 6);
  });

  it.each([0, -5, Number.NaN])("DI2 is not moved by %d points", (points) => {
    expect(heated(COLD, points, NOW)).toBe(COLD);
    expect(scoreAt(COLD, NOW)).toBe(0);
  });
});
