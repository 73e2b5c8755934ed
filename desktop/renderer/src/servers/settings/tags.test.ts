import { describe, expect, it } from "@jest/globals";
import { readTags } from "./tags.ts";

describe("typed tags", () => {
  it.each([
    ["", []],
    ["Garden, #neighbours  garden;", ["garden", "neighbours"]],
    ["straße 日本 a_b-c", ["straße", "日本", "a_b-c"]],
  ])("%j are read", (text, tags) => expect(readTags(text)).toEqual(tags));

  it.each(["a!b", "x".repeat(33), Array.from({ length: 11 }, (_, index) => `t${index}`).join(" ")])(
    "%j are refused",
    (text) => expect(readTags(text)).toBeNull(),
  );
});
