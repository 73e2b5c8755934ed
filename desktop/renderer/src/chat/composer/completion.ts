/** Something that is being written and could be completed: a person's name or an emoji's. */
export interface Completion {
  readonly kind: "mention" | "emoji";
  readonly query: string;
  /** Where its `@` or `:` stands. */
  readonly from: number;
  readonly to: number;
}

const MENTION = /(?:^|[\s([{"'“‘])@([^\n@]{0,40})$/u;
const EMOJI = /(?:^|[\s([{"'“‘])(:[\p{L}\p{N}_+-]{2,32})$/u;

/** What is being written right before the caret. */
export function completionAt(text: string, caret: number): Completion | null {
  const line = text.slice(Math.max(0, caret - 60), caret);
  const emoji = EMOJI.exec(line)?.[1];
  if (emoji !== undefined)
    return { kind: "emoji", query: emoji.slice(1), from: caret - emoji.length, to: caret };
  const mention = MENTION.exec(line)?.[1];
  if (mention === undefined || /^\s|\s\s/.test(mention)) return null;
  return { kind: "mention", query: mention, from: caret - mention.length - 1, to: caret };
}

/** The text with the completion written out and a space behind it, and where the caret then stands. */
export function completed(
  text: string,
  { from, to }: Completion,
  by: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to);
  const gap = rest.startsWith(" ") ? "" : " ";
  return { text: `${text.slice(0, from)}${by}${gap}${rest}`, caret: from + by.length + 1 };
}

/** Letters without marks and in one case, so that "Zoë" is found by "zoe". */
export const folded = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase();

function rankOf(name: string, query: string): number {
  if (name.startsWith(query)) return 0;
  if (name.split(/[\s._-]+/).some((word) => word.startsWith(query))) return 1;
  return name.includes(query) && query.length > 1 ? 2 : 3;
}

/** The best matches, those whose name begins so first; among equals their order stays. */
export function matching<Item>(
  items: readonly Item[],
  query: string,
  nameOf: (item: Item) => string,
  limit = 8,
): readonly Item[] {
  const wanted = folded(query);
  return items
    .map((item) => ({ item, rank: rankOf(folded(nameOf(item)), wanted) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, limit)
    .map(({ item }) => item);
}
