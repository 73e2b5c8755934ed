import type { MentionInText } from "@hearth/client";

export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mention"; readonly text: string; readonly userIds: readonly string[] }
  | { readonly kind: "emoji"; readonly text: string; readonly shortcode: string };

const SHORTCODE = /:([\p{L}\p{N}_+-]{1,64}):/gu;

function emojiParts(text: string, isEmoji: (shortcode: string) => boolean): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  SHORTCODE.lastIndex = 0;
  for (let match = SHORTCODE.exec(text); match !== null; match = SHORTCODE.exec(text)) {
    const [whole, shortcode = ""] = match;
    if (!isEmoji(shortcode)) {
      // The second colon may begin one.
      SHORTCODE.lastIndex -= 1;
      continue;
    }
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    parts.push({ kind: "emoji", text: whole, shortcode });
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** A text taken apart at its mentions and at the emoji of the account; the parts together are the text. */
export function partsOf(
  text: string,
  mentions: readonly MentionInText[],
  isEmoji: (shortcode: string) => boolean,
): readonly TextPart[] {
  let from = 0;
  const parts = mentions.flatMap(({ start, end, userIds }): readonly TextPart[] => {
    const before = emojiParts(text.slice(from, start), isEmoji);
    from = end;
    return [...before, { kind: "mention", text: text.slice(start, end), userIds }];
  });
  return [...parts, ...emojiParts(text.slice(from), isEmoji)];
}
