import { describe, expect, it } from "@jest/globals";
import { previewOf } from "./preview.ts";

describe("a preview", () => {
  it("is one line without markdown", () => {
    expect(previewOf("**a** [b](https://c.example)\n\n> d\n- e\n```\nf\n```")).toBe("a b d e f");
    expect(previewOf("")).toBe("");
  });

  it("is short, and takes no character apart", () => {
    expect(previewOf("word ".repeat(500))).toHaveLength(161);
    expect(previewOf(`a${"😀".repeat(300)}`, 10).isWellFormed()).toBe(true);
  });
});
