import { useEffect, useMemo, useState } from "react";
import { useConversation } from "../conversation-context.tsx";
import type { FoundEmoji } from "../emoji/emoji-data.ts";
import type { Person } from "../people-by-id.ts";
import { completionAt } from "./completion.ts";
import type { Completion } from "./completion.ts";
import { suggestEmoji, suggestPeople } from "./suggestion.ts";
import type { Suggestion } from "./suggestion.ts";

const NONE: readonly FoundEmoji[] = [];
const LIMIT = 8;

/** The emoji that a query finds. Their data is loaded when somebody first asks; without it there are none. */
function useFoundEmoji(query: string | null): readonly FoundEmoji[] {
  const [found, setFound] = useState<{ query: string; emoji: readonly FoundEmoji[] } | null>(null);
  useEffect(() => {
    if (query === null) return undefined;
    let isWanted = true;
    const find = async (): Promise<void> => {
      try {
        const { findEmoji } = await import("../emoji/emoji-data.ts");
        const emoji = await findEmoji(query, LIMIT);
        if (isWanted) setFound({ query, emoji });
      } catch {
        if (isWanted) setFound({ query, emoji: NONE });
      }
    };
    void find();
    return () => {
      isWanted = false;
    };
  }, [query]);
  // What the last letters found stays until these have found something.
  return query === null ? NONE : (found?.emoji ?? NONE);
}

export interface Suggestions {
  readonly completion: Completion | null;
  readonly items: readonly Suggestion[];
  readonly index: number;
  readonly move: (by: number) => void;
  readonly close: () => void;
}

/** What the text before the caret could become. */
export function useSuggestions(text: string, caret: number, people: readonly Person[]): Suggestions {
  const { emoji, ownId } = useConversation();
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const [chosen, setChosen] = useState({ of: "", index: 0 });
  const found = useMemo(() => completionAt(text, caret), [text, caret]);
  const at = found === null ? "" : `${found.kind}${found.from}`;
  const completion = at === closedAt ? null : found;
  const emojiFound = useFoundEmoji(completion?.kind === "emoji" ? completion.query.toLowerCase() : null);
  const items = useMemo(() => {
    if (completion === null) return [];
    return completion.kind === "mention"
      ? suggestPeople(people, completion.query, ownId)
      : suggestEmoji(emoji.values(), emojiFound, completion.query);
  }, [completion, people, ownId, emoji, emojiFound]);
  const key = `${at}/${completion?.query ?? ""}`;
  const index = chosen.of === key ? Math.min(chosen.index, Math.max(0, items.length - 1)) : 0;
  return {
    completion: items.length === 0 ? null : completion,
    items,
    index,
    move: (by) => setChosen({ of: key, index: (index + by + items.length) % Math.max(1, items.length) }),
    close: () => setClosedAt(at),
  };
}
