import { describe, expect, it } from "@jest/globals";
import { beginningOf } from "./long-text.ts";

describe("the beginning of a text", () => {
  it("is not taken of what may be shown whole", () => {
    expect(beginningOf("")).toBeNull();
    expect(beginningOf("a ".repeat(1_000))).toBeNull();
    expect(beginningOf(Array.from({ length: 30 }, () => "x").join("\n"))).toBeNull();
  });

  it("ends at a word or after 30 lines", () => {
    expect(beginningOf("word ".repeat(1_000))).toMatch(/^(?:word )+word$/);
    expect(beginningOf("x\n".repeat(100))?.split("\n")).toHaveLength(30);
  });

  it("takes no character apart", () => {
    const beginning = beginningOf(`a${"😀".repeat(4_000)}`);
    expect(beginning?.isWellFormed()).toBe(true);
    expect(beginning?.length).toBe(1_999);
  });
});
