import { describe, expect, it } from "@jest/globals";
import { DEFAULT_SIZE, restoredBounds, windowBoundsSchema } from "./window-bounds.ts";

const screens = [
  { x: 0, y: 30, width: 1_920, height: 1_050 },
  { x: 1_920, y: 0, width: 1_280, height: 1_024 },
];
const at = (x: number, y: number, width = 900, height = 700) => ({
  bounds: { x, y, width, height },
  maximized: false,
});

describe("the window's bounds", () => {
  it.each([
    ["on a screen", at(100, 100)],
    ["on the second screen", at(2_000, 200)],
    ["half off to the left", at(-800, 100)],
  ])("are kept %s", (_where, saved) => {
    expect(restoredBounds(saved, screens)).toEqual(saved.bounds);
  });

  it.each([
    ["on a screen that is gone", at(4_000, 100)],
    ["below every screen", at(100, 1_060)],
    ["above them, its title bar out of reach", at(100, -200)],
    ["with only its edge left", at(-880, 100)],
    ["nowhere yet", undefined],
  ])("are dropped %s", (_where, saved) => {
    expect(restoredBounds(saved, screens)).toEqual(DEFAULT_SIZE);
  });

  it.each([{}, at(Number.NaN, 0), at(1e9, 0), at(0, 0, 1, 1), { ...at(0, 0), maximized: "yes" }, null])(
    "is not read from %j",
    (value) => {
      expect(windowBoundsSchema.safeParse(value).success).toBe(false);
    },
  );
});
