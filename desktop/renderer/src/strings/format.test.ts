import { describe, expect, it } from "@jest/globals";
import { createFormat, regionOf } from "./format.ts";
import { strings, stringsFor } from "./strings.ts";

const NOW = Date.UTC(2026, 10, 20, 13, 5);
const MINUTE = 60_000;

describe("a time relative to now", () => {
  const { relative } = createFormat("en");

  it.each([
    [0, "this minute"],
    [-59_999, "this minute"],
    [-MINUTE, "1 minute ago"],
    [-59 * MINUTE, "59 minutes ago"],
    [-119 * MINUTE, "1 hour ago"],
    [24 * 60 * MINUTE - 1, "in 23 hours"],
    [24 * 60 * MINUTE, "tomorrow"],
    [-3 * 24 * 60 * MINUTE, "3 days ago"],
  ])("%d ms away is %j", (distance, text) => expect(relative(NOW + distance, NOW)).toBe(text));
});

describe("a short wait", () => {
  const { duration } = createFormat("en");
  it.each([
    [1, "1 second"],
    [59, "59 seconds"],
    [60, "1 minute"],
    [65, "1 minute, 5 seconds"],
    [900, "15 minutes"],
  ])("%d s are %j", (seconds, text) => expect(duration(seconds)).toBe(text));
});

describe("a moment", () => {
  it("is written as the person's region writes it", () => {
    expect(createFormat("en-GB", "Europe/Stockholm").moment(NOW)).toBe("Fri 14:05");
    expect(createFormat("de", "UTC").moment(NOW)).toBe("Fr., 13:05");
  });
});

describe("the language", () => {
  it("is a person's first that there is a catalogue of, else English", () => {
    expect(stringsFor(["xx", "en-GB"])).toBe(strings);
    expect(stringsFor([]).language).toBe("en");
  });

  it("keeps the person's variety of it", () => {
    expect(regionOf(["sv-SE", "en-GB", "en-US"], "en")).toBe("en-GB");
    expect(regionOf(["sv-SE"], "en")).toBe("en");
  });
});
