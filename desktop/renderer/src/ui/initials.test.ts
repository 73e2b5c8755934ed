import { describe, expect, it } from "@jest/globals";
import { initialsOf, toneOf } from "./initials.ts";

describe("the initials of a name", () => {
  it.each([
    ["Nora", "N"],
    ["Tuesday Climbers", "TC"],
    ["The Long Table", "TT"],
    ["ben_", "B"],
    ["mateo.f", "MF"],
    ["  ", "?"],
    ["(…)", "?"],
    ["🔥 Fireside", "🔥F"],
    ["éa łu", "ÉŁ"],
    ["#12ab #tag Nora", "#N"],
  ])("of %j are %j", (name, initials) => expect(initialsOf(name)).toBe(initials));
});

describe("the tone of an id", () => {
  it("stays the same, lies within six, and differs between ids", () => {
    const tones = Array.from({ length: 60 }, (_, index) => toneOf(`id-${index}`));
    expect(tones).toEqual(Array.from({ length: 60 }, (_, index) => toneOf(`id-${index}`)));
    expect(new Set(tones)).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });
});
