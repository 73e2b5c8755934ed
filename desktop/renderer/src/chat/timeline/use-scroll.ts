import { useCallback, useEffect, useLayoutEffect } from "react";
import type { Timeline, TimelineState } from "@hearth/client";
import { useClient, useReadable } from "../../context/client-context.tsx";
import { useLook, useScrollRefs } from "./use-look.ts";
import type { Now, ScrollRefs, View } from "./use-look.ts";
import { usePages } from "./use-pages.ts";
import type { Pages } from "./use-pages.ts";
import { usePursuit } from "./use-pursuit.ts";
import type { Pursuit } from "./use-pursuit.ts";
import type { ShownWindow } from "./use-window.ts";

export interface Scroll extends View, Pick<Pages, "trouble" | "retry">, Pick<Pursuit, "shownId"> {
  readonly list: ScrollRefs["list"];
  readonly onScroll: () => void;
  readonly onResize: () => void;
  /** Somebody moves through the list by hand: it goes nowhere against their will. */
  readonly onHand: () => void;
  /** False when this device does not have the message. */
  readonly jumpTo: (messageId: string) => Promise<boolean>;
  readonly jumpToNewest: () => Promise<boolean>;
  readonly jumpToFirstUnread: () => Promise<boolean>;
}

function useJumps(timeline: Timeline, now: ScrollRefs["now"], towards: Pursuit["towards"]) {
  const jumpTo = useCallback(
    (id: string) => towards({ kind: "message", id }, () => timeline.jumpTo(id)),
    [towards, timeline],
  );
  const jumpToNewest = useCallback(
    () => towards({ kind: "newest" }, () => timeline.jumpToNewest()),
    [towards, timeline],
  );
  const jumpToFirstUnread = useCallback(async () => {
    const { unread, divider } = now.current.state;
    const position = divider ?? unread.first;
    return position !== null && towards({ kind: "position", position }, () => timeline.jumpToFirstUnread());
  }, [now, towards, timeline]);
  return { jumpTo, jumpToNewest, jumpToFirstUnread };
}

/** Keeps the newest in sight where it was, follows jumps, asks for more, and tells what was read. */
export function useScroll(timeline: Timeline, state: TimelineState, shown: ShownWindow): Scroll {
  const attended = useReadable(useClient().platform.attention, (it) => it.isAttended);
  const current: Now = { state, shown, attended };
  const refs = useScrollRefs(current);
  const { want, trouble, retry } = usePages(timeline);
  const { view, look } = useLook(timeline, refs, want);
  const { pursue, pursueGoal, towards, giveUp, shownId } = usePursuit(refs);
  const { generation, messages } = shown;
  useLayoutEffect(() => {
    refs.goal.current ??= { kind: generation === 0 ? "start" : "newest" };
  }, [refs, generation]);
  useLayoutEffect(() => {
    refs.now.current = current;
    pursueGoal();
  });
  useLayoutEffect(pursue, [messages, pursue]);
  useEffect(look, [messages, attended, shownId, look]);
  return {
    ...view,
    ...useJumps(timeline, refs.now, towards),
    list: refs.list,
    shownId,
    trouble,
    retry,
    onScroll: look,
    onResize: () => {
      pursue();
      look();
    },
    onHand: () => {
      refs.settlesAt.current = 0;
      giveUp();
    },
  };
}
