import { Username } from "../../people/username.tsx";
import { strings } from "../../strings/strings.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { EmojiGlyph } from "../emoji/emoji-glyph.tsx";
import type { Suggestion } from "./suggestion.ts";
import type { Suggestions } from "./use-suggestions.ts";
import "./suggestion-list.css";

interface Props {
  readonly id: string;
  readonly suggestions: Suggestions;
  readonly onTake: (suggestion: Suggestion) => void;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** Lies above the composer, whose text field keeps the focus. */
export function SuggestionList({ id, suggestions: { items, index }, onTake }: Props) {
  return (
    <ul className="suggestions" id={id} role="listbox" aria-label={strings.chat.suggestions}>
      {items.map((suggestion, at) => (
        <li
          key={suggestion.key}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === index}
          className="suggestion"
          // The text field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(suggestion)}
        >
          {suggestion.person !== undefined && (
            <Avatar id={suggestion.person.userId} name={suggestion.label} size="small" />
          )}
          {suggestion.emoji !== undefined && <EmojiGlyph emoji={suggestion.emoji} />}
          <bdi>{suggestion.label}</bdi>
          <Username username={suggestion.person?.username} />
        </li>
      ))}
    </ul>
  );
}
