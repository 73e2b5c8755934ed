import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Timeline, TimelineState } from "@hearth/client";
import type { Goal } from "./goal.ts";
import { isAtOrBehind } from "./message-rows.ts";
import { firstVisibleIndex, isAtEnd, lastSeenIndex, wantedPages } from "./scrolling.ts";
import type { Pages } from "./use-pages.ts";
import type { ShownWindow } from "./use-window.ts";

/** What is true at the moment, for whatever happens between two renderings. */
export interface Now {
  readonly state: TimelineState;
  readonly shown: ShownWindow;
  readonly attended: boolean;
}

export interface ScrollRefs {
  readonly now: RefObject<Now>;
  readonly list: RefObject<VirtualizerHandle | null>;
  /** The newest message stays in sight when another one comes. */
  readonly follows: RefObject<boolean>;
  /** Until then scrolling is our own doing, not a person's. */
  readonly settlesAt: RefObject<number>;
  readonly goal: RefObject<Goal | null>;
}

export function useScrollRefs(now: Now): ScrollRefs {
  const refs = {
    now: useRef(now),
    list: useRef<VirtualizerHandle | null>(null),
    follows: useRef(true),
    settlesAt: useRef(0),
    goal: useRef<Goal | null>(null),
  };
  const kept = useRef(refs);
  return kept.current;
}

export interface View {
  readonly isAtEnd: boolean;
  /** The first message that was unread on entry is above what is in sight. */
  readonly isDividerAbove: boolean;
  /** The message that this was looked up for; `undefined` while it is not known what is in sight. */
  readonly dividerId: string | null | undefined;
}

const UNKNOWN: View = { isAtEnd: true, isDividerAbove: false, dividerId: undefined };

const isSame = (one: View, other: View): boolean =>
  one.dividerId === other.dividerId &&
  one.isAtEnd === other.isAtEnd &&
  one.isDividerAbove === other.isDividerAbove;

function viewOf(list: VirtualizerHandle, { state, shown }: Now): View {
  const { divider, hasNewer } = state;
  const first = shown.messages[firstVisibleIndex(list)];
  const isDividerAbove =
    divider !== null && first !== undefined && isAtOrBehind(first, divider) && first.id !== divider.id;
  return { isAtEnd: isAtEnd(list) && !hasNewer, isDividerAbove, dividerId: divider?.id ?? null };
}

/** Looks at what is in sight: asks for the messages next to it, and tells that it was read by whoever attends to it. */
export function useLook(timeline: Timeline, refs: ScrollRefs, want: Pages["want"]) {
  const marked = useRef<string | null>(null);
  const [view, setView] = useState(UNKNOWN);
  const later = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(() => {
    const { current: list } = refs.list;
    const { current: now } = refs.now;
    const { messages } = now.shown;
    if (list === null || refs.goal.current !== null || messages.length === 0 || list.viewportSize === 0)
      return;
    const next = viewOf(list, now);
    const wait = refs.settlesAt.current - performance.now();
    clearTimeout(later.current);
    const isThere = next.isAtEnd && refs.follows.current;
    if (wait > 0 && !isThere) {
      // The list is on its way somewhere: what passes by was not looked at.
      later.current = setTimeout(look, wait + 1);
      return;
    }
    refs.follows.current = next.isAtEnd;
    setView((it) => (isSame(it, next) ? it : next));
    want(wantedPages(list, now.state));
    const seen = messages[lastSeenIndex(list, messages.length)];
    if (!now.attended || seen === undefined || seen.id === marked.current) return;
    marked.current = seen.id;
    timeline.markRead({ timestamp: seen.timestamp, id: seen.id });
  }, [timeline, refs, want]);
  useEffect(() => () => clearTimeout(later.current), []);
  return useMemo(() => ({ view, look }), [view, look]);
}
