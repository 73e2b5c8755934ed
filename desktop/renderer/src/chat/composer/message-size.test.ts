import { describe, expect, it } from "@jest/globals";
import { sizeOf } from "./message-size.ts";

describe("the size of a message", () => {
  it("is told near the limit only", () => {
    expect(sizeOf("a", 0)).toEqual({ isTooLong: false, left: null });
    expect(sizeOf("a".repeat(40_000), 0).left).toBeNull();
    expect(sizeOf("a".repeat(64_000), 0)).toEqual({ isTooLong: false, left: 65_536 - 1_024 - 64_002 });
  });

  it("counts bytes as they are sent, not characters", () => {
    expect(sizeOf("\n".repeat(33_000), 0).isTooLong).toBe(true);
    expect(sizeOf("😀".repeat(16_200), 0).isTooLong).toBe(true);
    expect(sizeOf("a".repeat(64_510), 0)).toEqual({ isTooLong: false, left: 0 });
    expect(sizeOf("a".repeat(64_511), 0)).toEqual({ isTooLong: true, left: -1 });
    expect(sizeOf("a".repeat(64_510), 1).isTooLong).toBe(true);
  });
});
