import { describe, expect, it } from "@jest/globals";
import { createTimes } from "./times.ts";

const now = Date.UTC(2026, 10, 21, 12);
const at = (hours: number): number => now - hours * 3_600_000;

describe("times of messages", () => {
  it("are written as the language writes them", () => {
    expect(createTimes("en-GB", "UTC").minute(at(2))).toBe("10:00");
    expect(createTimes("en-US", "UTC").minute(at(2))).toMatch(/^10:00\sAM$/);
    expect(createTimes("de", "UTC").exact(now)).toMatch(/^Samstag, 21\. November 2026.* 12:00:00$/);
  });

  it("name a day by how near it is", () => {
    const times = createTimes("en-GB", "UTC");
    expect(times.day(at(11), now)).toBe("Today");
    expect(times.day(at(13), now)).toBe("Yesterday");
    expect(times.day(at(37), now)).toMatch(/^Thursday,? 19 November$/);
    expect(times.day(at(365 * 24), now)).toMatch(/^Friday,? 21 November 2025$/);
    expect(createTimes("de", "UTC").day(at(13), now)).toBe("Gestern");
  });

  it("begin a day where the person is", () => {
    const midnight = Date.UTC(2026, 10, 21, 0, 30);
    expect(createTimes("en-GB", "UTC").day(midnight, now)).toBe("Today");
    expect(createTimes("en-GB", "America/New_York").day(midnight, now)).toBe("Yesterday");
  });
});
