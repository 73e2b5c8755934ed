import { describe, expect, it } from "@jest/globals";
import { containsWords, searchWords } from "./search-text.ts";

const finds = (text: string, content: string): boolean => containsWords(content, searchWords(text));

describe("the search for words", () => {
  it.each([
    ["garden", "The GARDEN is green"],
    ["den", "The garden"],
    ["green garden", "garden, green"],
    ["  green\t\ngarden  ", "garden, green"],
    ["über", "ÜBER den Zaun"],
    ["uber", "über den Zaun"],
    ["u\u0308ber", "über"],
    ["strasse", "Lange Straße"],
    ["STRASSE", "straße"],
    ["straße", "STRASSE"],
    ["οδος", "ΟΔΟΣ"],
    ["οδοσ", "οδός"],
    ["istanbul", "İSTANBUL"],
    ["abc", "ＡＢＣ"],
    ["ガ", "ガーデン"],
    ["🌱", "a 🌱 grows"],
    ["100%", "100% wool"],
  ])("finds %j in %j", (text, content) => {
    expect(finds(text, content)).toBe(true);
  });

  it.each([
    ["green garden", "only a garden"],
    ["カ", "ガ"],
    ["gar den", "gar"],
    ["%", "nothing of that kind"],
    ["", "anything"],
    [" \n", "anything"],
  ])("does not find %j in %j", (text, content) => {
    expect(finds(text, content)).toBe(false);
  });

  it("looks for a word once", () => {
    expect(searchWords("Tea tea TÉA")).toEqual(["tea"]);
  });
});
