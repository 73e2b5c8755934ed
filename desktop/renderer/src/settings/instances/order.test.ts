import { describe, expect, it } from "@jest/globals";
import { moved } from "./order.ts";

describe("the order of servers", () => {
  it.each([
    [0, 1, "bac"],
    [1, 1, "acb"],
    [2, 1, "abc"],
    [2, -1, "acb"],
    [0, -1, "abc"],
    [3, -1, "abc"],
  ] as const)("entry %i moved by %i: %s", (index, by, wanted) => {
    expect(moved(["a", "b", "c"], index, by).join("")).toBe(wanted);
  });
});
