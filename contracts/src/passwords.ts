/** AB13: how hard a password is to guess; the server is certain to reject a `refused` one. */
export type PasswordStrength = "refused" | "weak" | "fair" | "strong";

const MIN_LENGTH = 8;
/** In bits: a password is weak below the first and strong from the second. */
const FAIR_BITS = 45;
const STRONG_BITS = 65;

/** True for the username in any case, with or without up to four digits or symbols after it. */
export function resemblesUsername(password: string, username: string): boolean {
  const fold = (text: string): string => text.normalize("NFC").toLowerCase();
  const [secret, name] = [fold(password), fold(username)];
  return name !== "" && secret.startsWith(name) && /^[^\p{L}]{0,4}$/u.test(secret.slice(name.length));
}

const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
];

/** Counts the characters that do not repeat or continue the previous one, as in `aaaa`, `1234` and `dcba`. */
function countUnpredictable(characters: readonly string[]): number {
  const codes = characters.map((character) => character.toLowerCase().codePointAt(0) ?? 0);
  return codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1).length;
}

/** Estimates the strength from the text alone, for screens. The server decides, with its list of common passwords. */
export function passwordStrength(password: string, username = ""): PasswordStrength {
  const characters = Array.from(password.normalize("NFC"));
  if (characters.length < MIN_LENGTH || resemblesUsername(password, username)) return "refused";
  const alphabet = ALPHABETS.reduce((size, [has, more]) => (has.test(password) ? size + more : size), 0);
  const distinct = new Set(characters).size;
  const bits = Math.min(countUnpredictable(characters), distinct * 2) * Math.log2(Math.max(alphabet, 2));
  return bits < FAIR_BITS ? "weak" : bits < STRONG_BITS ? "fair" : "strong";
}
