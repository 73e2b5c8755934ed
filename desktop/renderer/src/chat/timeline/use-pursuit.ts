import { useCallback, useEffect, useRef, useState } from "react";
import { targetOf } from "./goal.ts";
import type { Goal, Target } from "./goal.ts";
import { isInSight } from "./scrolling.ts";
import type { ScrollRefs } from "./use-look.ts";

/** A command to scroll takes a few measurements of what was not on the page before. */
const SETTLING_MS = 400;
const FLASH_MS = 1_800;
/** Before the list is taken to have settled, so that what passed by is not told as read. */
const CHECK_MS = SETTLING_MS - 50;
/** How often a way that ended somewhere else is gone again. */
const TRIES = 3;
/** What stands above the first unread message stays in sight. */
const DIVIDER_ROOM = 64;

export interface Pursuit {
  /** Scrolls to the goal if it is loaded; without one to the newest, where the list follows it. */
  readonly pursue: () => void;
  /** Only where there is a goal. */
  readonly pursueGoal: () => void;
  /** Loads what leads there, then goes; false where that is not to be had. */
  readonly towards: (goal: Goal, load: () => Promise<unknown>) => Promise<boolean>;
  readonly giveUp: () => void;
  /** The message that was jumped to, for a moment. */
  readonly shownId: string | null;
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

const isLoaded = async (load: () => Promise<unknown>): Promise<boolean> => {
  try {
    return (await load()) !== false;
  } catch {
    return false;
  }
};

/**
 * Scrolls to a message, and again where that ended out of its sight: the list gives up after 150 ms without
 * measurements, and a slow page has none yet.
 */
function useApproach({ now, list, settlesAt, goal }: ScrollRefs) {
  const check = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(check.current), []);
  return useCallback(
    ({ index, align }: Target) => {
      const id = now.current.shown.messages[index]?.id;
      const isLeft = (): boolean => settlesAt.current === 0 || goal.current !== null;
      const go = (to: number, triesLeft: number): void => {
        settlesAt.current = performance.now() + SETTLING_MS;
        list.current?.scrollToIndex(to, { align, offset: align === "start" ? -DIVIDER_ROOM : 0 });
        clearTimeout(check.current);
        if (triesLeft === 0 || align === "end") return;
        check.current = setTimeout(() => {
          const current = now.current.shown.messages.findIndex((message) => message.id === id);
          if (isLeft() || current < 0 || list.current === null || isInSight(list.current, current)) return;
          go(current, triesLeft - 1);
        }, CHECK_MS);
      };
      go(index, TRIES);
    },
    [now, list, settlesAt, goal],
  );
}

/** Brings the list to where somebody wants it. */
export function usePursuit(refs: ScrollRefs): Pursuit {
  const { now, list, follows, goal } = refs;
  const [shownId, setShownId] = useShownId();
  const hasEntered = useRef(false);
  const approach = useApproach(refs);
  const pursue = useCallback(() => {
    const { state, shown } = now.current;
    const wanted = goal.current ?? (follows.current ? ({ kind: "newest" } as const) : null);
    if (wanted === null || list.current === null) return;
    const target = targetOf(wanted, { ...state, messages: shown.messages });
    if (target === null) return;
    goal.current = null;
    hasEntered.current = true;
    follows.current = target.align === "end";
    approach(target);
    if (wanted.kind === "message" || wanted.kind === "position")
      setShownId(shown.messages[target.index]?.id ?? null);
  }, [now, list, follows, goal, approach, setShownId]);
  const pursueGoal = useCallback(() => {
    if (goal.current !== null) pursue();
  }, [goal, pursue]);
  const giveUp = useCallback(() => {
    goal.current = hasEntered.current ? null : { kind: "start" };
  }, [goal]);
  const towards = useCallback(
    async (next: Goal, load: () => Promise<unknown>): Promise<boolean> => {
      goal.current = next;
      const isThere = await isLoaded(load);
      if (!isThere && goal.current === next) giveUp();
      pursueGoal();
      return isThere;
    },
    [goal, giveUp, pursueGoal],
  );
  return { pursue, pursueGoal, towards, giveUp, shownId };
}
