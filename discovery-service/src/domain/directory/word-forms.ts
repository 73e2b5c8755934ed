const SEPARATORS = /[\n\r\p{Z}\p{P}]+/u;
const MAX_TERM_LETTERS = 32;

/** So that "cafe" and "ＣＡＦＥ" find "Café". */
const folded = (term: string): string =>
  term.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().slice(0, MAX_TERM_LETTERS);

/** The distinct words of a text, up to a limit. */
export function wordsOf(text: string, limit: number): string[] {
  const words = new Set<string>();
  for (const term of text.split(SEPARATORS)) {
    if (words.size >= limit) break;
    const word = folded(term);
    if (word !== "") words.add(word);
  }
  return [...words];
}

const lettersFrom = (first: string, last: string): string[] => {
  const start = first.charCodeAt(0);
  return Array.from({ length: last.charCodeAt(0) - start + 1 }, (_, index) =>
    String.fromCharCode(start + index),
  );
};

/** Alphabets that are small enough to try each letter at each position. */
const ALPHABETS: readonly string[][] = [
  [...lettersFrom("a", "z"), ...lettersFrom("0", "9")],
  lettersFrom("\u0430", "\u045F"),
  lettersFrom("\u03B1", "\u03C9"),
  lettersFrom("\u05D0", "\u05EA"),
  lettersFrom("\u0621", "\u064A"),
];
const NO_ALPHABET: readonly string[] = [];

const MIN_LETTERS = 4;
const MAX_LETTERS = 20;

/**
 * The words that differ from this one by one letter or by the order of two neighbours. Their number depends only on the
 * length of the word. Short words have none, because one typing error makes another word of them.
 */
export function* misspellingsOf(word: string): Generator<string> {
  if (word.length < MIN_LETTERS || word.length > MAX_LETTERS) return;
  const alphabet =
    ALPHABETS.find((letters) => letters.some((letter) => word.includes(letter))) ?? NO_ALPHABET;
  for (let at = 0; at <= word.length; at += 1) {
    const before = word.slice(0, at);
    const after = word.slice(at + 1);
    const [letter = "", next = ""] = [word[at], word[at + 1]];
    if (letter !== "") yield before + after;
    if (next !== "") yield before + next + letter + word.slice(at + 2);
    for (const other of alphabet) {
      yield before + other + word.slice(at);
      if (letter !== "") yield before + other + after;
    }
  }
}
