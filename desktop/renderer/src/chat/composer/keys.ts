/** A key that was pressed in the composer, as far as it decides something. */
export interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Characters are being put together by an input method. */
  readonly isComposing: boolean;
}

export interface ComposerState {
  readonly enterSends: boolean;
  readonly isEmpty: boolean;
  readonly isEditing: boolean;
  readonly isReplying: boolean;
  /** A list of completions is open. */
  readonly hasSuggestions: boolean;
}

export type ComposerAction =
  | "send"
  | "edit-last"
  | "cancel"
  | "next-suggestion"
  | "previous-suggestion"
  | "take-suggestion"
  | "close-suggestions"
  | null;

function actionOnSuggestions({ key, shiftKey }: Key): ComposerAction {
  if (key === "ArrowDown") return "next-suggestion";
  if (key === "ArrowUp") return "previous-suggestion";
  if (key === "Escape") return "close-suggestions";
  return (key === "Tab" || key === "Enter") && !shiftKey ? "take-suggestion" : null;
}

/** What a key does in the composer; nothing where it is the text field's own business. */
export function actionOf(pressed: Key, state: ComposerState): ComposerAction {
  const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = pressed;
  if (isComposing || altKey) return null;
  const hasCommand = ctrlKey || metaKey;
  if (state.hasSuggestions && !hasCommand) {
    const action = actionOnSuggestions(pressed);
    if (action !== null) return action;
  }
  switch (key) {
    case "Enter":
      if (hasCommand) return "send";
      return state.enterSends && !shiftKey ? "send" : null;
    case "ArrowUp":
      return state.isEmpty && !state.isEditing && !shiftKey && !hasCommand ? "edit-last" : null;
    case "Escape":
      return state.isEditing || state.isReplying ? "cancel" : null;
    default:
      return null;
  }
}
