import { describe, expect, it } from "@jest/globals";
import { nextIndex } from "./roving.ts";

describe("keys that move between messages", () => {
  it("go one up or down, a page, or to an end", () => {
    const from10 = (key: string) => nextIndex(key, 10, 30);
    expect(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].map(from10)).toEqual([
      9, 11, 2, 18, 0, 29,
    ]);
    expect([nextIndex("PageUp", 3, 30), nextIndex("PageDown", 28, 30)]).toEqual([0, 29]);
  });

  it("stay within the list, and other keys move nothing", () => {
    expect(nextIndex("ArrowUp", 0, 3)).toBeNull();
    expect(nextIndex("ArrowDown", 2, 3)).toBeNull();
    expect(nextIndex("a", 1, 3)).toBeNull();
    expect(nextIndex("ArrowUp", -1, 3)).toBeNull();
    expect(nextIndex("End", -1, 0)).toBeNull();
  });
});
