import type { MessageEdit, MessageRemoval, ReactionChange } from "../../device/changes.ts";

/** A change of a message as somebody in its room told it, not yet known to be theirs to make. */
export type ToldChange = {
  readonly roomId: string;
  readonly messageId: string;
  readonly authorId: string;
} & (
  | { readonly kind: "edit"; readonly edit: MessageEdit }
  | { readonly kind: "removal"; readonly removal: MessageRemoval }
  | { readonly kind: "reaction"; readonly reaction: ReactionChange }
);

const MOST_MESSAGES = 2_000;
const MOST_OF_ONE = 50;

/**
 * Changes of messages that this device does not have yet: only with the message it can be told who may change it. Those
 * of the messages that have waited longest are given up first.
 */
export interface HeldChanges {
  hold(change: ToldChange): void;
  take(messageIds: readonly string[]): readonly ToldChange[];
}

export function createHeldChanges(): HeldChanges {
  const held = new Map<string, ToldChange[]>();
  return {
    hold(change) {
      const known = held.get(change.messageId) ?? [];
      if (known.length >= MOST_OF_ONE) known.shift();
      held.set(change.messageId, [...known, change]);
      if (held.size <= MOST_MESSAGES) return;
      const [first] = held.keys();
      if (first !== undefined) held.delete(first);
    },
    take(messageIds) {
      if (held.size === 0) return [];
      return messageIds.flatMap((id) => {
        const changes = held.get(id) ?? [];
        held.delete(id);
        return changes;
      });
    },
  };
}
