/** Combining accents; marks that form letters of other scripts are not included. */
const ACCENTS = /[\u0300-\u036F]/g;

/** The same text for texts that differ only in case, width or accents. */
const foldedText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ");

/** The words of a search for `containsWords`; empty for a text without words. */
export const searchWords = (text: string): readonly string[] => [
  ...new Set(foldedText(text).split(/\s+/).filter(Boolean)),
];

/** True if every word occurs somewhere, also within a longer word; false for no words. */
export function containsWords(content: string, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  const folded = foldedText(content);
  return words.every((word) => folded.includes(word));
}
