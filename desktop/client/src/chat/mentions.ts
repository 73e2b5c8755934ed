/** A user who can be mentioned by display name. */
export interface MentionedPerson {
  readonly userId: string;
  readonly displayName: string;
}

/** `text.slice(start, end)` is `@name`. Several users may share a name. */
export interface MentionInText {
  readonly start: number;
  readonly end: number;
  readonly userIds: readonly string[];
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const TICKS = /`+/g;
/** More mentions than this are noise, and other clients drop the list. */
const MOST = 100;
/** How many `@` signs are examined, so that a text full of `@` costs little. */
const MAX_SIGNS = 2_000;
/** By how much the length of a name can change through decomposition or another case. */
const LENGTH_SLACK = 2;

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

const isWordAt = (text: string, index: number): boolean => {
  const code = text.codePointAt(index);
  return code !== undefined && WORD.test(String.fromCodePoint(code));
};

/** A letter before `@` (as in an e-mail address) or after the name means that this is no mention. */
const standsAlone = (text: string, start: number, end: number): boolean =>
  !(start > 0 && WORD.test(text.charAt(start - 1))) && !isWordAt(text, end);

function peopleByName(people: readonly MentionedPerson[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const { userId, displayName } of people) {
    const name = folded(displayName.trim());
    const known = byName.get(name);
    if (known) known.push(userId);
    else if (name !== "") byName.set(name, [userId]);
  }
  return byName;
}

/** The lengths that a name may have in a text, longest first. */
function lengthsOf(names: Iterable<string>): readonly number[] {
  const lengths = new Set<number>();
  for (const { length } of names)
    for (let slack = -LENGTH_SLACK; slack <= LENGTH_SLACK; slack += 1) lengths.add(length + slack);
  return [...lengths].filter((length) => length > 0).toSorted((a, b) => b - a);
}

/** Code between backtick runs of equal length, as in Markdown. A run without a partner is no code. */
function codeIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const runs = [...text.matchAll(TICKS)].map(({ index, 0: { length } }) => ({ index, length }));
  const partners: (number | undefined)[] = [];
  const nextOfLength = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length = 0 } = runs[at] ?? {};
    partners[at] = nextOfLength.get(length);
    nextOfLength.set(length, at);
  }
  const code = [];
  for (let at = 0; at < runs.length; at += 1) {
    const partner = partners[at];
    const [opening, closing] = [runs[at], partner === undefined ? undefined : runs[partner]];
    if (!opening || !closing || partner === undefined) continue;
    code.push({ start: opening.index, end: closing.index + closing.length });
    at = partner;
  }
  return code;
}

/** Finds every `@name` of these users outside of code. The longest name wins. */
export function findMentions(text: string, people: readonly MentionedPerson[]): readonly MentionInText[] {
  const byName = peopleByName(people);
  const lengths = lengthsOf(byName.keys());
  const isCode = insideOf(codeIn(text));
  const found: MentionInText[] = [];
  let signs = 0;
  for (let at = text.indexOf("@"); at >= 0 && signs < MAX_SIGNS; at = text.indexOf("@", at + 1)) {
    signs += 1;
    if (isCode(at)) continue;
    const length = lengths.find((it) => {
      const end = at + 1 + it;
      return end <= text.length && byName.has(folded(text.slice(at + 1, end))) && standsAlone(text, at, end);
    });
    const userIds =
      length === undefined ? undefined : byName.get(folded(text.slice(at + 1, at + 1 + length)));
    if (length !== undefined && userIds) found.push({ start: at, end: at + 1 + length, userIds });
  }
  return found;
}

/** The positions asked for must be ascending. */
function insideOf(
  ranges: readonly { readonly start: number; readonly end: number }[],
): (at: number) => boolean {
  let index = 0;
  return (at) => {
    while ((ranges[index]?.end ?? Infinity) <= at) index += 1;
    return at >= (ranges[index]?.start ?? Infinity);
  };
}

/** The ids of the users that a text mentions by `@name`, each once, in the order of the text. */
export const mentionsIn = (text: string, people: readonly MentionedPerson[]): readonly string[] =>
  [...new Set(findMentions(text, people).flatMap(({ userIds }) => userIds))].slice(0, MOST);
