import { describe, expect, it } from "@jest/globals";
import { displayName } from "./text.ts";

const accepted = (name: string): boolean => displayName.safeParse(name).success;

describe("display names", () => {
  it.each([
    ["Latin", "Ada Lovelace"],
    ["one letter", "x"],
    ["a sign", "!"],
    ["accents, composed and not", "Ame\u0301lie Dvořák"],
    ["Vietnamese, two marks on a letter", "Nguyễn"],
    ["Chinese with an ideographic space", "山田\u3000太郎"],
    ["Arabic", "محمد"],
    ["Hebrew with points", "שָׁלוֹם"],
    ["Hindi", "हिन्दी ज़ीं"],
    ["Thai", "น้ำผึ้ง"],
    ["an emoji", "🦊"],
    ["an emoji with a variation selector", "❤\uFE0F"],
    ["an emoji with a skin tone", "👍🏽"],
    ["a family joined by ZWJ", "👨\u200D👩\u200D👧\u200D👦 home"],
    ["a flag of a country", "🇨🇭"],
    ["a flag by tags", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"],
    ["a keycap", "1\uFE0F\u20E3"],
  ])("AB8 accepts %s", (_what, name) => {
    expect(accepted(name)).toBe(true);
  });

  it.each([
    ["nothing but spaces", "   "],
    ["nothing but a no-break space", "\u00A0"],
    ["a zero width space", "ada\u200B"],
    ["a joiner between letters", "a\u200Dda"],
    ["a non-joiner", "a\u200Cda"],
    ["a soft hyphen", "a\u00ADda"],
    ["a word joiner", "a\u2060da"],
    ["a byte order mark", "\uFEFFada"],
    ["a left-to-right mark", "ada\u200E"],
    ["an Arabic letter mark", "ada\u061C"],
    ["a direction override", "\u202Eada"],
    ["an isolate", "\u2066ada\u2069"],
    ["a Hangul filler alone", "\u3164"],
    ["a half-width filler", "ada\uFFA0"],
    ["a braille blank", "\u2800"],
    ["a Mongolian vowel separator", "ada\u180E"],
    ["a combining grapheme joiner", "ada\u034F"],
    ["a variation selector behind a letter", "a\uFE0Fda"],
    ["a supplementary variation selector", "ada\u{E0100}"],
    ["tags without a flag", "ada\u{E0067}\u{E007F}"],
    ["a joiner behind an emoji", "🦊\u200D"],
    ["a mark without a letter", "\u0301"],
    ["three marks on a letter", "a\u0316\u0317\u0318"],
    ["a pile of marks", `a${"\u0336".repeat(20)}`],
    ["an enclosing mark on top of two", "a\u0316\u0317\u20DD"],
    ["a control character", "a\u0007da"],
    ["a lone surrogate", "a\uD83D"],
  ])("AB8 refuses %s", (_what, name) => {
    expect(accepted(name)).toBe(false);
  });

  it("AB8 hostile names cost no time", () => {
    const began = performance.now();
    for (const part of ["👨\u200D", "\u0301", "1\uFE0F", "🏴\u{E0067}"]) accepted(part.repeat(100_000));
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
