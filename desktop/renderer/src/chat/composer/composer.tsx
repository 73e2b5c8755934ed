import { useEffect, useId, useImperativeHandle, useRef } from "react";
import type { Ref } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { ChannelRef } from "@hearth/store";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { useAnnouncer } from "../../ui/announcer.tsx";
import { strings } from "../../strings/strings.ts";
import type { Person } from "../people-by-id.ts";
import { TypingLine } from "../typing-line.tsx";
import { completed } from "./completion.ts";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
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
import "./composer.css";

export interface ComposerHandle {
  readonly focus: () => void;
}

export interface ComposerProps {
  readonly at: ChannelRef;
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

/** Says how to use a list of suggestions when it opens, not with every letter. */
function useSuggestionsSaid({ completion, items }: Suggestions): void {
  const { say } = useAnnouncer();
  const count = useRef(0);
  const from = completion?.from ?? null;
  useEffect(() => {
    count.current = items.length;
  });
  useEffect(() => {
    if (from !== null) say(`${strings.chat.suggested(count.current)}. ${strings.chat.suggestedHow}`);
  }, [from, say]);
}

/** What is written, what it could become, and what the keys do with it. */
function useComposer(props: ComposerProps) {
  const { at, people, replyTo, editing, maxBytes, onDone } = props;
  const { preferences } = useClient();
  const enterSends = useReadable(preferences.state, (it) => it.enterSends);
  const written = useText(at, editing);
  const { text, caret } = written;
  const suggestions = useSuggestions(text, caret, people);
  useSuggestionsSaid(suggestions);
  const size = sizeOf(text, 0, maxBytes);
  const sending = useSending(written, { channel: at, people, replyTo, editing, onDone: () => onDone(true) });
  const canSend = text.trim() !== "" && !size.isTooLong;
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
  const state = {
    enterSends,
    isEmpty: text === "",
    isEditing: editing !== null,
    isReplying: replyTo !== null,
    hasSuggestions: suggestions.completion !== null,
  };
  return { written, suggestions, size, problem: sending.problem, canSend, take, act, state };
}

/** Where one writes: a text field with what it is for above it and what there is to say about it below. */
export function Composer(props: ComposerProps) {
  const { at, channel, replyTo, editing, delayed, ref } = props;
  const { chat } = useClient();
  const ids = { list: useId(), foot: useId() };
  const field = useRef<HTMLTextAreaElement>(null);
  const { written, suggestions, size, problem, canSend, take, act, state } = useComposer(props);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        act.send();
        field.current?.focus();
      }}
    >
      {state.hasSuggestions && <SuggestionList id={ids.list} suggestions={suggestions} onTake={take} />}
      <div className="composer-box" data-invalid={size.isTooLong || undefined}>
        <ComposerBar replyTo={replyTo} editing={editing} onCancel={act.cancel} />
        <div className="composer-line">
          <ComposerField
            field={field}
            written={written}
            placeholder={strings.chat.composer(channel)}
            state={state}
            listId={ids.list}
            suggestions={suggestions}
            describedBy={ids.foot}
            isInvalid={size.isTooLong}
            onTyped={(typed) => (editing === null ? chat.typing(at, typed) : undefined)}
            onAction={(action) => act[action]()}
          />
          <ComposerButtons field={field} written={written} isEditing={state.isEditing} canSend={canSend} />
        </div>
      </div>
      <div className="composer-below">
        <TypingLine channel={at} />
        <ComposerFoot
          id={ids.foot}
          size={size}
          problem={problem}
          delayed={delayed}
          enterSends={state.enterSends}
        />
      </div>
    </form>
  );
}
