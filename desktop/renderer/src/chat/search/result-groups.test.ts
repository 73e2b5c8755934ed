import { describe, expect, it } from "@jest/globals";
import type { DeviceMessage } from "@hearth/device";
import { excerptOf, groupResults } from "./result-groups.ts";

const message = (id: string, roomId: string, channelId: string | null) =>
  ({ id, roomId, channelId }) as DeviceMessage;

describe("results of a search", () => {
  it("are grouped by place in the order of their newest", () => {
    const found = [
      message("1", "b", "x"),
      message("2", "a", null),
      message("3", "b", "x"),
      message("4", "b", "y"),
    ];
    expect(groupResults(found).map(({ key, messages }) => [key, messages.map(({ id }) => id)])).toEqual([
      ["b/x", ["1", "3"]],
      ["a/", ["2"]],
      ["b/y", ["4"]],
    ]);
  });
});

describe("an excerpt", () => {
  const told = (line: string, query: string, length?: number) =>
    excerptOf(line, query, length)
      .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
      .join("");

  it("marks every word that was looked for, in any case", () => {
    expect(told("The bread and the Butter", "the bread")).toBe("[The] [bread] and [the] Butter");
  });

  it("takes what was typed as it is, not as a pattern", () => {
    expect(told("a+b (c)", "a+b (")).toBe("[a+b] [(]c)");
    expect(told("plain", ".*")).toBe("plain");
    expect(told("plain", "  ")).toBe("plain");
  });

  it("is taken from around the first hit of a long text", () => {
    const line = `${"x ".repeat(200)}needle${" y".repeat(200)}`;
    expect(told(line, "needle", 40)).toMatch(/^….*\[needle\].*…$/);
    expect(told(line, "needle", 40).length).toBeLessThan(50);
  });
});
