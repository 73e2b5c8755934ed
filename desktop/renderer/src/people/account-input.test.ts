import { describe, expect, it } from "@jest/globals";
import { nameProblem, passwordProblem } from "./account-input.ts";

describe("what is typed about an account", () => {
  it.each([
    ["Ada", undefined],
    ["  Ada  ", undefined],
    ["", "empty"],
    [" \t", "empty"],
    ["a\u0000b", "control"],
    ["A\u200Bda", "invisible"],
    ["\u3164", "invisible"],
    ["A\u0301\u0302\u0303\u0304da", "stacked"],
    ["Ada 👩‍🚀", undefined],
    ["ü".repeat(64), undefined],
    ["ü".repeat(65), "too-long"],
  ])("the display name %j: %s", (name, problem) => expect(nameProblem(name)).toBe(problem));

  it.each([
    ["1234567", "too-short"],
    ["12345678", undefined],
    ["u\u0308".repeat(8), undefined],
    ["u\u0308".repeat(7), "too-short"],
    ["x".repeat(1_025), "too-long"],
  ])("the password %j: %s", (password, problem) => expect(passwordProblem(password)).toBe(problem));
});
