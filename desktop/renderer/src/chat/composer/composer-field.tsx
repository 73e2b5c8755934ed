import { useLayoutEffect } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { strings } from "../../strings/strings.ts";
import { actionOf } from "./keys.ts";
import type { ComposerAction, ComposerState } from "./keys.ts";
import { optionId } from "./suggestion-list.tsx";
import type { Suggestions } from "./use-suggestions.ts";
import type { ComposerText } from "./use-text.ts";

interface Props {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly written: ComposerText;
  readonly placeholder: string;
  readonly state: ComposerState;
  readonly listId: string;
  readonly suggestions: Suggestions;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  readonly onTyped: (text: string) => void;
  readonly onAction: (action: NonNullable<ComposerAction>) => void;
}

const growsByItself = CSS.supports("field-sizing", "content");

/** Grows with its text, up to what the style allows. */
function useGrowth(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { current: element } = field;
    if (growsByItself || element === null) return;
    element.style.blockSize = "auto";
    element.style.blockSize = `${element.scrollHeight}px`;
  }, [field, text]);
}

export function ComposerField(props: Props) {
  const { field, written, placeholder, state, listId, suggestions, describedBy, isInvalid } = props;
  const { text, caret, change } = written;
  useGrowth(field, text);
  useLayoutEffect(() => {
    const { current: element } = field;
    if (element !== null && document.activeElement === element && element.selectionEnd !== caret)
      element.setSelectionRange(caret, caret);
  }, [field, text, caret]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event;
    const { isComposing } = nativeEvent;
    const action = actionOf({ key, shiftKey, ctrlKey, metaKey, altKey, isComposing }, state);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    props.onAction(action);
  };
  const isOpen = suggestions.completion !== null;
  return (
    <textarea
      ref={field}
      className="composer-field"
      rows={1}
      dir="auto"
      value={text}
      placeholder={placeholder}
      aria-label={strings.chat.composerLabel}
      aria-autocomplete="list"
      aria-controls={isOpen ? listId : undefined}
      aria-activedescendant={isOpen ? optionId(listId, suggestions.index) : undefined}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      enterKeyHint={state.enterSends ? "send" : "enter"}
      onKeyDown={onKeyDown}
      onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
        if (selectionStart === selectionEnd && selectionEnd !== caret) written.moveCaret(selectionEnd);
      }}
      onChange={({ target: { value, selectionEnd } }) => {
        change(value, selectionEnd);
        props.onTyped(value);
      }}
    />
  );
}
