import type { TimelineState } from "@hearth/client";
import type { MessagePosition } from "@hearth/store";
import { indexFrom } from "./message-rows.ts";

/** Where the list is to scroll to as soon as that is loaded. */
export type Goal =
  /** Where a channel is entered: the first unread message, else the newest. */
  | { readonly kind: "start" | "newest" }
  | { readonly kind: "message"; readonly id: string }
  | { readonly kind: "position"; readonly position: MessagePosition };

export interface Target {
  readonly index: number;
  readonly align: "start" | "center" | "end";
}

type Window = Pick<TimelineState, "messages" | "hasOlder" | "hasNewer" | "divider">;

const newest = ({ messages, hasNewer }: Window): Target | null =>
  hasNewer || messages.length === 0 ? null : { index: messages.length - 1, align: "end" };

function atPosition({ messages, hasOlder }: Window, position: MessagePosition): Target | null {
  const index = indexFrom(messages, position);
  if (index < 0) return null;
  return index === 0 && hasOlder && messages[0]?.id !== position.id ? null : { index, align: "start" };
}

/** What the list scrolls to for a goal; nothing while the window does not hold it yet. */
export function targetOf(goal: Goal, window: Window): Target | null {
  switch (goal.kind) {
    case "message": {
      const index = window.messages.findIndex(({ id }) => id === goal.id);
      return index < 0 ? null : { index, align: "center" };
    }
    case "position":
      return atPosition(window, goal.position);
    case "newest":
      return newest(window);
    case "start":
      return (window.divider === null ? null : atPosition(window, window.divider)) ?? newest(window);
  }
}
