import { describe, expect, it } from "@jest/globals";
import { compareText, sortedByName } from "./order.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

const texts = [
  "",
  "a",
  "A",
  "ab",
  "b",
  "\u0000",
  "\u00e4",
  "\u{D7FF}",
  "\u{E000}",
  "\u{FFFD}",
  "\u{FFFF}",
  "\u{1F331}",
];
texts.push("\u{10000}", "\u{10FFFF}", "a\u{FFFF}", "a\u{10000}", "\uD83C", "a\uDF31");

describe("the order of texts", () => {
  it("is their order in UTF-8, like in SQLite", () => {
    for (const a of texts) {
      for (const b of texts) {
        expect([a, b, Math.sign(compareText(a, b))]).toEqual([a, b, Buffer.compare(bytes(a), bytes(b))]);
      }
    }
  });

  it("of names ignores case, and separates equal names by id", () => {
    const people = [
      ["b", "1"],
      ["A", "2"],
      ["a", "1"],
      ["B", "0"],
    ] as const;
    const sorted = sortedByName(
      people,
      ([name]) => name,
      ([, id]) => id,
    );
    expect(sorted.map((person) => person.join(""))).toEqual(["a1", "A2", "B0", "b1"]);
  });

  it("of names is that of texts in any script", () => {
    const names = texts.map((text) => text.toLowerCase());
    const sorted = sortedByName(
      names.toReversed(),
      (name) => name,
      () => "",
    );
    expect(sorted.map(bytes)).toEqual(names.toSorted(compareText).map(bytes));
  });

  it("of names normalises each of them once", () => {
    let looks = 0;
    const nameOf = (name: string): string => {
      looks += 1;
      return name;
    };
    const names = Array.from({ length: 1_000 }, (_, index) => `${(index * 7_919) % 1_000}`);
    sortedByName(names, nameOf, nameOf);
    expect(looks).toBe(1_000);
  });
});
