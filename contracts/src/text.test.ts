import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { displayName, lineOfText, textBlock } from "./text.ts";

const accepted = (name: string): boolean => displayName.safeParse(name).success;

/** Texts that match the pattern of the OpenAPI document. */
const documented = (schema: z.ZodType): RegExp =>
  new RegExp((z.toJSONSchema(schema, { io: "input" }) as { pattern: string }).pattern, "u");

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
  ])("AB8 accepts %s, and the document says so", (_what, name) => {
    expect(accepted(name)).toBe(true);
    expect(documented(displayName).test(name)).toBe(true);
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

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Only combinations with joiners and rows of marks are beyond the expression. */
describe("the documents' expressions", () => {
  /** All of the basic plane, every invisible one, and a sample of the rest. */
  const characters = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
    .filter((code) => code < 0x1_00_00 || code % 97 === 0 || INVISIBLE.test(String.fromCodePoint(code)))
    .map((code) => String.fromCodePoint(code));
  const disagreeing = (schema: z.ZodType, around: (character: string) => string): string[] => {
    const pattern = documented(schema);
    return characters.filter(
      (character) => pattern.test(around(character)) !== schema.safeParse(around(character)).success,
    );
  };

  it("GW1 say of every character of the basic plane within a name whether it is accepted", () => {
    const unsaid = disagreeing(displayName, (character) => `a${character}b`);
    expect(unsaid.filter((character) => character.length === 1)).toEqual(["\u200D", "\uFE0E", "\uFE0F"]);
  });

  it("GW1 say it of names of one character but for combining marks", () => {
    const unsaid = disagreeing(displayName, (character) => character);
    expect(unsaid.filter((character) => character.length === 1 && !/\p{M}/u.test(character))).toEqual([]);
  });

  it("GW1 say it of every character in a line and in a text", () => {
    expect(disagreeing(lineOfText(1, 64), (character) => character)).toEqual([]);
    expect(disagreeing(textBlock(64), (character) => character)).toEqual([]);
  });

  it("GW1 count characters as the documents do", () => {
    expect(accepted("🦊".repeat(64))).toBe(true);
    expect(accepted("🦊".repeat(65))).toBe(false);
  });
});
