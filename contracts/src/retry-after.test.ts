import { describe, expect, it } from "@jest/globals";
import { retryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("Retry-After", () => {
  it.each([
    ["120", 120_000],
    [" 7 ", 7_000],
    ["0", 1_000],
    ["Thu, 01 Jan 2026 00:01:30 GMT", 90_000],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 1_000],
    ["999999999", 86_400_000],
    ["soon", 30_000],
    ["-5", 30_000],
    ["1e9", 30_000],
    ["", 30_000],
    [null, 30_000],
  ])("LA5 %p is %p ms", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
