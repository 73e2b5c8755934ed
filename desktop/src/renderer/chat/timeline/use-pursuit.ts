import { useCallback, useEffect, useRef, useState } from "react";
import { targetOf } from "./goal.ts";
import type { Goal } from "./goal.ts";
import type { ScrollRefs } from "./use-look.ts";

/** A command to scroll takes a few measurements of what was not on the page before. */
const SETTLING_MS = 400;
const FLASH_MS = 1_800;
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

/** Brings the list to where somebody wants it. */
export function usePursuit({ now, list, follows, settlesAt, goal }: ScrollRefs): Pursuit {
  const [shownId, setShownId] = useShownId();
  const hasEntered = useRef(false);
  const pursue = useCallback(() => {
    const { state, shown } = now.current;
    const wanted = goal.current ?? (follows.current ? ({ kind: "newest" } as const) : null);
    if (wanted === null || list.current === null) return;
    const target = targetOf(wanted, { ...state, messages: shown.messages });
    if (target === null) return;
    const { index, align } = target;
    goal.current = null;
    hasEntered.current = true;
    follows.current = align === "end";
    settlesAt.current = performance.now() + SETTLING_MS;
    list.current.scrollToIndex(index, { align, offset: align === "start" ? -DIVIDER_ROOM : 0 });
    if (wanted.kind === "message" || wanted.kind === "position")
      setShownId(shown.messages[index]?.id ?? null);
  }, [now, list, follows, settlesAt, goal, setShownId]);
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
