import { describe, expect, it } from "@jest/globals";
import { judge } from "./goals.ts";
import type { Goal } from "./goals.ts";
import { Results } from "./results.ts";

const goal: Goal = {
  title: "cheap",
  work: "fan-out",
  subject: "ours",
  against: "theirs",
  metric: "cpu",
  kind: "at most",
  limit: 0.5,
};

const measured = (ours: readonly number[], theirs: readonly number[]): Results => {
  const results = new Results();
  for (const cpu of ours) results.add("fan-out", "ours", { cpu });
  for (const cpu of theirs) results.add("fan-out", "theirs", { cpu });
  return results;
};

describe("goals", () => {
  it("judges by the median of the ratios of equal repetitions", () => {
    const [verdict] = judge(measured([1, 4, 6], [10, 10, 10]), [goal]);
    expect(verdict).toMatchObject({ value: { median: 0.4, min: 0.1, max: 0.6 }, reached: true });
  });

  it("says so when a goal is not reached", () => {
    expect(judge(measured([6], [10]), [goal])[0]?.reached).toBe(false);
    expect(judge(measured([6], [10]), [{ ...goal, kind: "at least" }])[0]?.reached).toBe(true);
  });

  it("judges one piece of work beside another of the same server", () => {
    const results = measured([3], []);
    results.add("enter", "ours", { cpu: 2 });
    const beside = { ...goal, against: "ours", againstWork: "enter", limit: 1.5 };
    expect(judge(results, [beside])[0]).toMatchObject({ value: { median: 1.5 }, reached: true });
  });

  it("judges a value where there is no peer", () => {
    const { against: _, ...alone } = goal;
    expect(judge(measured([0.3], []), [alone])[0]).toMatchObject({ value: { median: 0.3 }, reached: true });
  });

  it("leaves out what was not measured, and never reaches a goal whose peer is missing", () => {
    expect(judge(measured([1], [1]), [{ ...goal, work: "login" }])).toEqual([]);
    expect(() => judge(measured([1], []), [goal])).toThrow("different numbers");
  });
});
