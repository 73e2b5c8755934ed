interface Named {
  readonly userId: string;
  readonly displayName: string;
}

/** Letters of other scripts, and signs, that are drawn like Latin ones. */
const TWINS: readonly (readonly [likes: string, latin: string])[] = [
  ["аαａ", "a"],
  ["вβ8", "b"],
  ["сϲⅽ", "c"],
  ["ԁⅾ", "d"],
  ["еєε3", "e"],
  ["һн", "h"],
  ["і1lι|!ӏɩı", "i"],
  ["јϳ", "j"],
  ["кκ", "k"],
  ["мⅿ", "m"],
  ["пηո", "n"],
  ["оο0օσ", "o"],
  ["рρ", "p"],
  ["ѕ5ꜱ", "s"],
  ["тτ7", "t"],
  ["υսц", "u"],
  ["νѵⅴ", "v"],
  ["ѡω", "w"],
  ["хχ×", "x"],
  ["уγу", "y"],
];

const LATIN = new Map(TWINS.flatMap(([likes, latin]) => Array.from(likes, (like) => [like, latin] as const)));

/** The same for names that people take for each other: without case, accents, spaces and signs, look-alikes as one. */
export const skeletonOf = (name: string): string => {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}\s._\-'’`]/gu, "");
  return Array.from(letters, (letter) => LATIN.get(letter) ?? letter)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
};

/** AB8: the ids of those whose name somebody could take for another one's of these people. */
export function lookalikesAmong(people: Iterable<Named>): ReadonlySet<string> {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const { userId, displayName } of people) {
    const skeleton = skeletonOf(displayName);
    const other = first.get(skeleton);
    if (other === undefined) first.set(skeleton, userId);
    else if (other !== userId) found.add(other).add(userId);
  }
  return found;
}
