import type { CustomEmoji } from "../emoji/custom-emoji.ts";
import type { Person } from "../people-by-id.ts";
import { matching } from "./completion.ts";

/** One way to complete what is being written. */
export interface Suggestion {
  readonly key: string;
  /** What takes the place of what was written. */
  readonly insert: string;
  readonly label: string;
  readonly person?: Person;
  readonly emoji?: string;
}

const LIMIT = 8;

export const suggestPeople = (
  people: readonly Person[],
  query: string,
  ownId: string,
): readonly Suggestion[] =>
  matching(
    people.filter(({ userId }) => userId !== ownId),
    query,
    ({ displayName, username }) => `${displayName} ${username ?? ""}`,
    LIMIT,
  ).map((person) => ({
    key: person.userId,
    insert: `@${person.displayName}`,
    label: person.displayName,
    person,
  }));

/** The account's own emoji, then all others that were found. */
export function suggestEmoji(
  custom: Iterable<CustomEmoji>,
  found: readonly { readonly emoji: string; readonly shortcode: string }[],
  query: string,
): readonly Suggestion[] {
  const own = matching([...custom], query, ({ shortcode }) => shortcode, LIMIT).map(
    ({ shortcode }): Suggestion => ({
      key: `:${shortcode}:`,
      insert: `:${shortcode}:`,
      label: `:${shortcode}:`,
      emoji: `:${shortcode}:`,
    }),
  );
  const others = found.map(
    ({ emoji, shortcode }): Suggestion => ({ key: emoji, insert: emoji, label: `:${shortcode}:`, emoji }),
  );
  return [...own, ...others].slice(0, LIMIT);
}
