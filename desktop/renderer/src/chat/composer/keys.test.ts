import { describe, expect, it } from "@jest/globals";
import { actionOf } from "./keys.ts";
import type { ComposerState, Key } from "./keys.ts";

const press = (key: string, changes: Partial<Key> = {}): Key => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...changes,
});

const plain: ComposerState = {
  enterSends: true,
  isEmpty: false,
  isEditing: false,
  isReplying: false,
  hasSuggestions: false,
};

describe("keys of the composer", () => {
  it("send by Enter and break the line by Shift+Enter", () => {
    expect(actionOf(press("Enter"), plain)).toBe("send");
    expect(actionOf(press("Enter", { shiftKey: true }), plain)).toBeNull();
  });

  it("send by Ctrl+Enter where the person wants it so", () => {
    const other = { ...plain, enterSends: false };
    expect(actionOf(press("Enter"), other)).toBeNull();
    expect(actionOf(press("Enter", { ctrlKey: true }), other)).toBe("send");
    expect(actionOf(press("Enter", { metaKey: true }), other)).toBe("send");
  });

  it("belong to the input method while it puts characters together", () => {
    for (const key of ["Enter", "ArrowUp", "Escape", "Tab"])
      expect(
        actionOf(press(key, { isComposing: true }), { ...plain, isEmpty: true, hasSuggestions: true }),
      ).toBeNull();
  });

  it("edit the last message by Up, in an empty composer only", () => {
    expect(actionOf(press("ArrowUp"), plain)).toBeNull();
    expect(actionOf(press("ArrowUp"), { ...plain, isEmpty: true })).toBe("edit-last");
    expect(actionOf(press("ArrowUp", { altKey: true }), { ...plain, isEmpty: true })).toBeNull();
    expect(
      actionOf(press("ArrowUp", { altKey: true, shiftKey: true }), { ...plain, isEmpty: true }),
    ).toBeNull();
    expect(actionOf(press("ArrowUp"), { ...plain, isEmpty: true, isEditing: true })).toBeNull();
  });

  it("cancel an edit or a reply by Escape, which else is somebody else's", () => {
    expect(actionOf(press("Escape"), plain)).toBeNull();
    expect(actionOf(press("Escape"), { ...plain, isEditing: true })).toBe("cancel");
    expect(actionOf(press("Escape"), { ...plain, isReplying: true })).toBe("cancel");
  });

  it("move in suggestions and take one while there are any", () => {
    const suggesting = { ...plain, hasSuggestions: true, isEditing: true };
    expect(actionOf(press("ArrowDown"), suggesting)).toBe("next-suggestion");
    expect(actionOf(press("ArrowUp"), suggesting)).toBe("previous-suggestion");
    expect(actionOf(press("Enter"), suggesting)).toBe("take-suggestion");
    expect(actionOf(press("Tab"), suggesting)).toBe("take-suggestion");
    expect(actionOf(press("Tab", { shiftKey: true }), suggesting)).toBeNull();
    expect(actionOf(press("Escape"), suggesting)).toBe("close-suggestions");
    expect(actionOf(press("Enter", { ctrlKey: true }), suggesting)).toBe("send");
  });
});
