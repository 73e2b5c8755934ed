import { useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import type { Ref } from "react";
import type { TimelineMessage } from "../../../client/chat/chat.ts";
import type { ChannelPlace } from "../../../store/history.ts";
import { useClient, useReadable } from "../../client-context.tsx";
import { useAnnouncer } from "../../frame/announcer.tsx";
import { strings } from "../../strings.ts";
import { Icon } from "../../ui/icon.tsx";
import { ChatIcon } from "../chat-icon.tsx";
import { useConversation } from "../conversation-context.tsx";
import { EmojiPopover } from "../emoji-popover.tsx";
import { IconButton } from "../icon-button.tsx";
import type { Person } from "../people-by-id.ts";
import { TypingLine } from "../typing-line.tsx";
import { completed } from "./completion.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerField } from "./composer-field.tsx";
import { ComposerFoot } from "./composer-foot.tsx";
import type { ComposerAction } from "./keys.ts";
import { sizeOf } from "./message-size.ts";
import type { Suggestion } from "./suggestion.ts";
import { SuggestionList } from "./suggestion-list.tsx";
import { useSending } from "./use-sending.ts";
import { useSuggestions } from "./use-suggestions.ts";
import type { Suggestions } from "./use-suggestions.ts";
import { useText } from "./use-text.ts";
import type { ComposerText } from "./use-text.ts";

export interface ComposerHandle {
  readonly focus: () => void;
}

interface Props {
  readonly place: ChannelPlace;
  readonly channel: string;
  readonly people: readonly Person[];
  readonly replyTo: TimelineMessage | null;
  readonly editing: TimelineMessage | null;
  readonly delayed: "offline" | "joining" | null;
  readonly maxBytes: number | undefined;
  /** An edit or a reply ended, by sending or not. */
  readonly onDone: (wasSent: boolean) => void;
  readonly onEditLast: () => void;
  readonly ref: Ref<ComposerHandle>;
}

/** Says once how to use a list of suggestions that opens while somebody types. */
function useSuggestionsSaid({ completion, items }: Suggestions): void {
  const announcer = useAnnouncer();
  const count = items.length;
  const from = completion?.from ?? null;
  useEffect(() => {
    if (from === null) return;
    announcer.say(`${strings.chat.suggested(count)}. ${strings.chat.suggestedHow}`);
    // Said when the list opens, not with every letter.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [from, announcer]);
}

function insertAt({ text, caret, change }: ComposerText, inserted: string): void {
  change(`${text.slice(0, caret)}${inserted}${text.slice(caret)}`, caret + inserted.length);
}

export function Composer(props: Props) {
  const { place, channel, people, replyTo, editing, delayed, maxBytes, onDone, ref } = props;
  const { chat, preferences } = useClient();
  const { emoji } = useConversation();
  const enterSends = useReadable(preferences.state, (it) => it.enterSends);
  const ids = { list: useId(), foot: useId() };
  const field = useRef<HTMLTextAreaElement>(null);
  const [picking, setPicking] = useState<Element | null>(null);
  const written = useText(place, editing);
  const { text, caret } = written;
  const suggestions = useSuggestions(text, caret, people);
  useSuggestionsSaid(suggestions);
  const size = sizeOf(text, 0, maxBytes);
  const sending = useSending(written, { place, people, replyTo, editing, onDone: () => onDone(true) });
  const canSend = text.trim() !== "" && !size.isTooLong;
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));

  const take = (suggestion: Suggestion | undefined): void => {
    if (suggestion === undefined || suggestions.completion === null) return;
    const next = completed(text, suggestions.completion, suggestion.insert);
    written.change(next.text, next.caret);
  };
  const act: Record<NonNullable<ComposerAction>, () => void> = {
    send: () => (canSend ? sending.send() : undefined),
    "edit-last": props.onEditLast,
    cancel: () => onDone(false),
    "next-suggestion": () => suggestions.move(1),
    "previous-suggestion": () => suggestions.move(-1),
    "take-suggestion": () => take(suggestions.items[suggestions.index]),
    "close-suggestions": suggestions.close,
  };
  const hasSuggestions = suggestions.completion !== null;
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        act.send();
        field.current?.focus();
      }}
    >
      {hasSuggestions && <SuggestionList id={ids.list} suggestions={suggestions} onTake={take} />}
      <div className="composer-box" data-invalid={size.isTooLong || undefined}>
        <ComposerBar replyTo={replyTo} editing={editing} onCancel={act.cancel} />
        <div className="composer-line">
          <ComposerField
            field={field}
            written={written}
            placeholder={strings.chat.composer(channel)}
            state={{
              enterSends,
              isEmpty: text === "",
              isEditing: editing !== null,
              isReplying: replyTo !== null,
              hasSuggestions,
            }}
            listId={ids.list}
            suggestions={suggestions}
            describedBy={ids.foot}
            isInvalid={size.isTooLong}
            onTyped={() => (editing === null ? chat.typing(place) : undefined)}
            onAction={(action) => act[action]()}
          />
          <IconButton
            label={strings.chat.emoji}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => setPicking(currentTarget)}
          >
            <ChatIcon name="smile" />
          </IconButton>
          <IconButton
            type="submit"
            className="send-button"
            label={editing === null ? strings.chat.send : strings.chat.save}
            aria-disabled={!canSend}
          >
            <Icon name={editing === null ? "up" : "check"} />
          </IconButton>
        </div>
      </div>
      <div className="composer-below">
        <TypingLine place={place} />
        <ComposerFoot
          id={ids.foot}
          size={size}
          problem={sending.problem}
          delayed={delayed}
          enterSends={enterSends}
        />
      </div>
      <EmojiPopover
        anchor={picking}
        custom={emoji}
        onPick={(picked) => insertAt(written, picked)}
        onClose={() => setPicking(null)}
        finalFocus={() => field.current}
      />
    </form>
  );
}
