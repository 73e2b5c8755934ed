import { describe, expect, it } from "@jest/globals";
import { parseCpuMicros, parseRssKib, parseThreadMicros } from "./usage.ts";

const tail = "S 1 2 3 0 -1 4194304 100 0 0 0 150 25 0 0 20 0 11 0 1 2 3";

describe("usage of a process", () => {
  it("adds user and system time", () => {
    expect(parseCpuMicros(`42 (node) ${tail}`)).toBe(1_750_000);
  });

  it("is not led astray by a command's name", () => {
    expect(parseCpuMicros(`42 (a) R 9 (b c) ${tail}`)).toBe(1_750_000);
  });

  it("reads the time of one thread", () => {
    expect(parseThreadMicros("139071862 220611509 83\n")).toBeCloseTo(139_071.862);
    expect(() => parseThreadMicros("")).toThrow("could not be read");
  });

  it("refuses what it cannot read", () => {
    expect(() => parseCpuMicros("42 (node) S 1")).toThrow("could not be read");
    expect(() => parseRssKib("VmSize:\t 10 kB\n")).toThrow("could not be read");
  });

  it("finds the resident memory", () => {
    expect(parseRssKib("VmHWM:\t  2048 kB\nVmRSS:\t  1536 kB\nRssAnon:\t 9 kB\n")).toBe(1536);
  });
});
