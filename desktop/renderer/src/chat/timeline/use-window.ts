import { useLayoutEffect, useState } from "react";
import type { TimelineMessage } from "@hearth/client";
import { windowSteps } from "./window-steps.ts";
import type { WindowStep } from "./window-steps.ts";

type Step = WindowStep<TimelineMessage>;

interface Held {
  readonly source: readonly TimelineMessage[];
  readonly step: Step;
  readonly next: Step | null;
  /** Grows when the list begins anew. */
  readonly generation: number;
}

export interface ShownWindow extends Step {
  readonly generation: number;
}

const heldAfter = (held: Held, source: readonly TimelineMessage[]): Held => {
  const [step = held.step, next = null] = windowSteps(held.step.messages, source);
  return { source, step, next, generation: held.generation + (step.isNew ? 1 : 0) };
};

/** The messages as the virtual list is to show them, one step at a time, all of them before the page is painted. */
export function useWindow(messages: readonly TimelineMessage[]): ShownWindow {
  const [held, setHeld] = useState<Held>(() => ({
    source: messages,
    step: { messages, shift: false, isNew: true },
    next: null,
    generation: 0,
  }));
  let current = held;
  if (held.source !== messages) {
    current = heldAfter(held, messages);
    setHeld(current);
  }
  const { next } = current;
  useLayoutEffect(() => {
    if (next !== null) setHeld((it) => (it.next === next ? { ...it, step: next, next: null } : it));
  }, [next]);
  return { ...current.step, generation: current.generation };
}
