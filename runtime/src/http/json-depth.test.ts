import { describe, expect, it } from "@jest/globals";
import { exceedsJsonDepth } from "./json-depth.ts";

const depthOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

/** A small generator with a seed, so that a failure can be repeated. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const TEXTS = [
  "",
  "[",
  "}",
  '"',
  "\\",
  '\\"',
  "[[{{",
  'a"]}',
  "\\\\",
  "é[",
  "\n{",
  `${"x".repeat(40)}["`,
  `${"x".repeat(31)}\\"{`,
];

function anything(random: () => number, levels: number): unknown {
  const text = TEXTS[Math.floor(random() * TEXTS.length)] ?? "";
  const choice = levels === 0 ? 0 : Math.floor(random() * 3);
  if (choice === 0) return random() < 0.7 ? text : random();
  const items = Array.from({ length: Math.floor(random() * 4) }, () => anything(random, levels - 1));
  return choice === 1 ? items : Object.fromEntries(items.map((item, index) => [`${text}${index}`, item]));
}

describe("the depth of JSON", () => {
  it("matches a parser for thousands of values with brackets and quotes in their strings", () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const value = anything(generator(seed), 6);
      const json = Buffer.from(JSON.stringify(value));
      const depth = depthOf(value);
      expect([seed, exceedsJsonDepth(json, depth)]).toEqual([seed, false]);
      if (depth > 0) expect([seed, exceedsJsonDepth(json, depth - 1)]).toEqual([seed, true]);
    }
  });

  it.each(["", '"', '"\\', '["', "]", '"\\"', "}}}[[", "[}[}[}["])(
    "ends on the malformed text %j",
    (text) => {
      expect(exceedsJsonDepth(Buffer.from(text), 32)).toBe(false);
    },
  );
});
