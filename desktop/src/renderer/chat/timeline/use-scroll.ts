import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Timeline, TimelineState } from "../../../client/chat/chat.ts";
import { useClient, useReadable } from "../../client-context.tsx";
import { targetOf } from "./goal.ts";
import type { Goal } from "./goal.ts";
import { isAtOrBehind } from "./message-rows.ts";
import { firstVisibleIndex, isAtEnd, lastSeenIndex, wantedPages } from "./scrolling.ts";
import { usePages } from "./use-pages.ts";
import type { Pages } from "./use-pages.ts";
import type { ShownWindow } from "./use-window.ts";

/** A command to scroll takes a few measurements; what is scrolled meanwhile is not a person's doing. */
const SETTLING_MS = 400;
const FLASH_MS = 1_800;
/** What stands above the first unread message stays in sight. */
const DIVIDER_ROOM = 64;

export interface Scroll extends Pick<Pages, "trouble" | "retry"> {
  readonly list: RefObject<VirtualizerHandle | null>;
  readonly isAtEnd: boolean;
  /** The first message that was unread on entry is above what is in sight. */
  readonly isDividerAbove: boolean;
  /** It is known what is in sight. */
  readonly hasLooked: boolean;
  /** The message that was jumped to, for a moment. */
  readonly shownId: string | null;
  readonly onScroll: () => void;
  readonly onResize: () => void;
  /** Somebody moves through the list by hand: it does not follow the newest against their will. */
  readonly onHand: () => void;
  /** False when this device does not have the message. */
  readonly jumpTo: (messageId: string) => Promise<boolean>;
  readonly jumpToNewest: () => Promise<void>;
  readonly jumpToFirstUnread: () => Promise<void>;
}

interface Now {
  readonly state: TimelineState;
  readonly shown: ShownWindow;
  readonly attended: boolean;
}

function useShownId() {
  const [shownId, setShownId] = useState<string | null>(null);
  useEffect(() => {
    if (shownId === null) return undefined;
    const timer = setTimeout(() => setShownId(null), FLASH_MS);
    return () => clearTimeout(timer);
  }, [shownId]);
  return [shownId, setShownId] as const;
}

const isBehindDivider = ({ state: { divider }, shown: { messages } }: Now, index: number): boolean => {
  const first = messages[index];
  return divider !== null && first !== undefined && isAtOrBehind(first, divider) && first.id !== divider.id;
};

/** What is in sight, told whenever it changes: to the person by the pills, to the client as read. */
function useLook(timeline: Timeline, now: RefObject<Now>, want: Pages["want"]) {
  const list = useRef<VirtualizerHandle | null>(null);
  const follows = useRef(true);
  const settlesAt = useRef(0);
  const goal = useRef<Goal | null>(null);
  const marked = useRef<string | null>(null);
  const [view, setView] = useState({ isAtEnd: true, isDividerAbove: false, hasLooked: false });
  const look = useCallback(() => {
    const { current: handle } = list;
    const { state, shown, attended } = now.current;
    if (handle === null || goal.current !== null || shown.messages.length === 0) return;
    if (handle.viewportSize === 0) return;
    const isSettled = performance.now() > settlesAt.current;
    const next = {
      isAtEnd: isAtEnd(handle) && !state.hasNewer,
      isDividerAbove: isBehindDivider(now.current, firstVisibleIndex(handle)),
      hasLooked: true,
    };
    if (next.isAtEnd || isSettled) follows.current = next.isAtEnd;
    setView((it) =>
      it.hasLooked && it.isAtEnd === next.isAtEnd && it.isDividerAbove === next.isDividerAbove ? it : next,
    );
    if (isSettled) want(wantedPages(handle, state));
    const seen = shown.messages[lastSeenIndex(handle, shown.messages.length)];
    if (!attended || seen === undefined || seen.id === marked.current) return;
    marked.current = seen.id;
    timeline.markRead({ timestamp: seen.timestamp, id: seen.id });
  }, [timeline, now, want]);
  return { list, follows, settlesAt, goal, view, look };
}

/** Keeps the newest in sight where it was, follows jumps, asks for more, and tells what was read. */
export function useScroll(timeline: Timeline, state: TimelineState, shown: ShownWindow): Scroll {
  const attended = useReadable(useClient().platform.attention, (it) => it.isAttended);
  const { want, trouble, retry } = usePages(timeline);
  const now = useRef<Now>({ state, shown, attended });
  const { list, follows, settlesAt, goal, view, look } = useLook(timeline, now, want);
  const [shownId, setShownId] = useShownId();

  const hasEntered = useRef(false);

  const pursue = useCallback(() => {
    const { state: window, shown: inList } = now.current;
    const wanted = goal.current ?? (follows.current ? ({ kind: "newest" } as const) : null);
    if (wanted === null || list.current === null) return;
    const target = targetOf(wanted, { ...window, messages: inList.messages });
    if (target === null) return;
    const { index, align } = target;
    goal.current = null;
    hasEntered.current = true;
    follows.current = align === "end";
    settlesAt.current = performance.now() + SETTLING_MS;
    list.current.scrollToIndex(index, { align, offset: align === "start" ? -DIVIDER_ROOM : 0 });
    if (wanted.kind === "message") setShownId(wanted.id);
  }, [list, follows, settlesAt, goal, setShownId]);

  const towards = useCallback(
    async (next: Goal, move: () => Promise<unknown>): Promise<boolean> => {
      goal.current = next;
      const isThere = (await move()) !== false;
      if (!isThere && goal.current === next) goal.current = hasEntered.current ? null : { kind: "start" };
      if (goal.current !== null) pursue();
      return isThere;
    },
    [goal, pursue],
  );
  const jumpTo = useCallback(
    (id: string) => towards({ kind: "message", id }, () => timeline.jumpTo(id)),
    [towards, timeline],
  );

  const { generation, messages } = shown;
  useLayoutEffect(() => {
    goal.current ??= { kind: generation === 0 ? "start" : "newest" };
  }, [goal, generation]);
  useLayoutEffect(() => {
    now.current = { state, shown, attended };
    if (goal.current !== null) pursue();
  });
  useLayoutEffect(pursue, [messages, pursue]);
  useEffect(() => {
    look();
    const timer = setTimeout(look, SETTLING_MS + 50);
    return () => clearTimeout(timer);
  }, [messages, attended, look]);
  return {
    list,
    ...view,
    shownId,
    trouble,
    retry,
    onScroll: look,
    onHand: () => {
      settlesAt.current = 0;
    },
    onResize: () => {
      pursue();
      look();
    },
    jumpTo,
    jumpToNewest: async () => void (await towards({ kind: "newest" }, () => timeline.jumpToNewest())),
    jumpToFirstUnread: async () => {
      const { unread, divider } = now.current.state;
      const position = unread.first ?? divider;
      if (position !== null)
        await towards({ kind: "position", position }, () => timeline.jumpToFirstUnread());
    },
  };
}
