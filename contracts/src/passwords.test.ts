import { describe, expect, it } from "@jest/globals";
import { passwordStrength, resemblesUsername } from "./passwords.ts";

describe("passwords", () => {
  it.each([
    ["mueller", true],
    ["Mueller", true],
    ["mueller1", true],
    ["MUELLER2026", true],
    ["mueller-77", true],
    ["mueller20261", false],
    ["muellerin", false],
    ["my name is mueller", false],
  ])("AB13 %p is the username mueller: %p", (password, expected) => {
    expect(resemblesUsername(password, "Mueller")).toBe(expected);
  });

  it.each([
    ["short", "refused"],
    ["mueller1", "refused"],
    ["aaaaaaaaaaaaaaaaaaaa", "weak"],
    ["12345678901234567890", "weak"],
    ["abcdefghijkl", "weak"],
    ["kqzwmxpv", "weak"],
    ["kqzw-mx7v", "fair"],
    ["correct horse battery staple", "strong"],
    ["Zürich ist im Mai grün", "strong"],
  ])("AB13 calls %p %s", (password, strength) => {
    expect(passwordStrength(password, "mueller")).toBe(strength);
  });
});
