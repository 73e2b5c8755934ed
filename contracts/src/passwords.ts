/** AB13: how hard a password is to guess; `refused` is what the server would refuse for certain. */
export type PasswordStrength = "refused" | "weak" | "fair" | "strong";

const MIN_LENGTH = 8;
/** Bits below which a password is called weak, and from which it is called strong. */
const FAIR_BITS = 45;
const STRONG_BITS = 65;

/** True for the username itself, whatever the case, also with up to four digits or signs behind it. */
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

/** Characters that do not simply repeat or continue the one before, as in `aaaa`, `1234` and `dcba`. */
function unpredictable(characters: readonly string[]): number {
  const codes = characters.map((character) => character.toLowerCase().codePointAt(0) ?? 0);
  return codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1).length;
}

/** An estimate for the screen, from the text alone. The server, which has the list of common ones, is the judge. */
export function passwordStrength(password: string, username = ""): PasswordStrength {
  const characters = Array.from(password.normalize("NFC"));
  if (characters.length < MIN_LENGTH || resemblesUsername(password, username)) return "refused";
  const alphabet = ALPHABETS.reduce((size, [has, more]) => (has.test(password) ? size + more : size), 0);
  const distinct = new Set(characters).size;
  const bits = Math.min(unpredictable(characters), distinct * 2) * Math.log2(Math.max(alphabet, 2));
  return bits < FAIR_BITS ? "weak" : bits < STRONG_BITS ? "fair" : "strong";
}
