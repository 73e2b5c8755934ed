import { describe, expect, it } from "@jest/globals";
import { sizeText } from "./file-size.ts";

describe("the size of a file", () => {
  it("is told in the unit that fits", () => {
    expect([0, 999, 1_000, 1_234_567, 5_000_000_000].map(sizeText)).toEqual([
      "0 byte",
      "999 byte",
      "1 kB",
      "1.2 MB",
      "5 GB",
    ]);
  });
});
