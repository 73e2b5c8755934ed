import { describe, expect, it } from "@jest/globals";
import { isAtEnd, isInSight, lastSeenIndex, wantedPages } from "./scrolling.ts";

const at = (scrollOffset: number) => ({ scrollOffset, viewportSize: 500, scrollSize: 10_000 });

describe("scrolling", () => {
  it("is at the end within a line or two of it", () => {
    expect(isAtEnd(at(9_500))).toBe(true);
    expect(isAtEnd(at(9_460))).toBe(true);
    expect(isAtEnd(at(9_400))).toBe(false);
    expect(isAtEnd({ scrollOffset: 0, viewportSize: 500, scrollSize: 80 })).toBe(true);
  });

  it("asks for more before an end is reached, and only where there is more", () => {
    const both = { hasOlder: true, hasNewer: true };
    expect(wantedPages(at(0), both)).toEqual({ older: true, newer: false });
    expect(wantedPages(at(5_000), both)).toEqual({ older: false, newer: false });
    expect(wantedPages(at(9_000), both)).toEqual({ older: false, newer: true });
    expect(wantedPages(at(0), { hasOlder: false, hasNewer: false })).toEqual({ older: false, newer: false });
  });
});

const sizes = (scrollOffset: number, heights: readonly number[]) => {
  const offsetOf = (index: number): number => heights.slice(0, index).reduce((sum, it) => sum + it, 0);
  return {
    scrollOffset,
    viewportSize: 500,
    scrollSize: offsetOf(heights.length),
    findItemIndex: (offset: number) =>
      Math.max(
        0,
        heights.findIndex((height, index) => offsetOf(index) + height > offset),
      ),
    getItemOffset: offsetOf,
    getItemSize: (index: number) => heights[index] ?? 0,
  };
};

describe("the last message that was seen", () => {
  it("is the last one whose end is in sight", () => {
    expect(lastSeenIndex(sizes(0, [200, 200, 200, 200]), 4)).toBe(1);
    expect(lastSeenIndex(sizes(100, [200, 200, 200, 200]), 4)).toBe(2);
    expect(lastSeenIndex(sizes(300, [200, 200, 200, 200]), 4)).toBe(3);
  });

  it("is one that fills the view", () => {
    expect(lastSeenIndex(sizes(300, [200, 2_000]), 2)).toBe(1);
    expect(lastSeenIndex(sizes(100, [200, 2_000]), 2)).toBe(0);
  });

  it("is none where there is nothing, or nothing is shown", () => {
    expect(lastSeenIndex(sizes(0, []), 0)).toBe(-1);
    expect(lastSeenIndex({ ...sizes(0, [10]), viewportSize: 0 }, 1)).toBe(-1);
  });
});

describe("a message that was scrolled to", () => {
  it("is in sight as soon as a part of it is", () => {
    const view = sizes(300, [200, 200, 500, 200]);
    expect([0, 1, 2, 3].map((index) => isInSight(view, index))).toEqual([false, true, true, false]);
  });
});
