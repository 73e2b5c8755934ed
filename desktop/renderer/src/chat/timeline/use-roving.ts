import { useCallback, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import type { TimelineMessage } from "@hearth/client";
import type { Scroll } from "./use-scroll.ts";
import { findMessageElement, messageElementOf, openMenuOf } from "../messages/message-element.ts";
import { nextIndex } from "./roving.ts";

const ATTEMPTS = 20;

/** Gives the focus to a message as soon as the virtual list shows it; until it is measured it is hidden. */
function focusMessage(within: HTMLElement, messageId: string, attempts = ATTEMPTS): void {
  const element = findMessageElement(within, messageId);
  element?.focus({ preventScroll: true });
  const hasFocus = element !== null && document.activeElement === element;
  if (!hasFocus && attempts > 0) requestAnimationFrame(() => focusMessage(within, messageId, attempts - 1));
}

export interface Roving {
  /** The message that the Tab key comes to. */
  readonly activeId: string | null;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onFocus: (messageId: string | null) => void;
  readonly focus: (messageId: string) => void;
}

/** Arrow keys move between messages, one of which is a stop of the Tab key. */
export function useRoving(
  scroller: RefObject<HTMLElement | null>,
  messages: readonly TimelineMessage[],
  scroll: Scroll,
  onLeave: () => void,
): Roving {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = messages.some(({ id }) => id === chosenId) ? chosenId : null;
  const activeId = chosen ?? messages.at(-1)?.id ?? null;
  const focus = useCallback(
    (messageId: string) => {
      setChosenId(messageId);
      const { current: within } = scroller;
      if (within !== null) requestAnimationFrame(() => focusMessage(within, messageId));
    },
    [scroller],
  );
  const { shownId } = scroll;
  const focusShown = useRef(focus);
  useEffect(() => {
    if (shownId !== null) focusShown.current(shownId);
  }, [shownId]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget, key, altKey, ctrlKey, metaKey } = event;
    const message = messageElementOf(target);
    if (message === null || altKey || ctrlKey || metaKey) return;
    if (target !== message) {
      if (key !== "Escape") return;
      event.stopPropagation();
      message.focus();
      return;
    }
    const from = messages.findIndex(({ id }) => id === message.dataset["messageId"]);
    const to = nextIndex(key, from, messages.length);
    const next = to === null ? undefined : messages[to];
    if (to !== null && next !== undefined) {
      event.preventDefault();
      scroll.onHand();
      scroll.list.current?.scrollToIndex(to, { align: "nearest" });
      setChosenId(next.id);
      focusMessage(currentTarget, next.id);
    } else if (key === "Enter" || key === " ") {
      event.preventDefault();
      openMenuOf(message);
    } else if (key === "Escape") {
      event.stopPropagation();
      onLeave();
    }
  };
  return { activeId, onKeyDown, onFocus: setChosenId, focus };
}
