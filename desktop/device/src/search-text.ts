/** Accents as they stand apart from their letters; marks that make up letters of other scripts are not among them. */
const ACCENTS = /[\u0300-\u036F]/g;

/** The same text for texts that differ by case, width or accents alone. */
const foldedText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ");

/** The words of a search, as `containsWords` takes them; none of a text without words. */
export const searchWords = (text: string): readonly string[] => [
  ...new Set(foldedText(text).split(/\s+/).filter(Boolean)),
];

/** True when every word occurs somewhere, within a longer word too; never for no words. */
export function containsWords(content: string, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  const folded = foldedText(content);
  return words.every((word) => folded.includes(word));
}
