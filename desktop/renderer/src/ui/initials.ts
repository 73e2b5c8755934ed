const TONES = 6;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const firstLetter = (word: string): string => {
  const [first] = letters.segment(word);
  return first?.segment ?? "";
};

/** One or two letters for a name: of its first and last word, as people abbreviate themselves. */
export function initialsOf(name: string): string {
  const words = name
    .split(/[\s\-_.]+/u)
    .filter((word) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(word));
  const [first = "", ...rest] = words;
  const last = rest.at(-1) ?? "";
  const found = firstLetter(first) + firstLetter(last);
  return found === "" ? "?" : found.toLocaleUpperCase();
}

/** 1 to 6, the same for the same id everywhere. */
export function toneOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return (sum % TONES) + 1;
}
