import type { MessageEdit, MessageRemoval, ReactionChange } from "@hearth/device";

/** A received change of a message; whether its author may make it is not decided yet. */
export type ReceivedChange = {
  readonly roomId: string;
  readonly messageId: string;
  readonly authorId: string;
} & (
  | { readonly kind: "edit"; readonly edit: MessageEdit }
  | { readonly kind: "removal"; readonly removal: MessageRemoval }
  | { readonly kind: "reaction"; readonly reaction: ReactionChange }
);

const MAX_MESSAGES = 2_000;
const MAX_OF_ONE = 50;

/**
 * Changes of messages that this device does not have yet. Who may change a message is known only with the message.
 * The oldest ones are dropped first.
 */
export class DeferredChanges {
  private readonly changes = new Map<string, readonly ReceivedChange[]>();

  defer(change: ReceivedChange): void {
    const earlier = this.changes.get(change.messageId) ?? [];
    this.changes.set(change.messageId, [...earlier, change].slice(-MAX_OF_ONE));
    if (this.changes.size <= MAX_MESSAGES) return;
    const [first] = this.changes.keys();
    if (first !== undefined) this.changes.delete(first);
  }

  release(messageIds: readonly string[]): readonly ReceivedChange[] {
    if (this.changes.size === 0) return [];
    return messageIds.flatMap((id) => {
      const released = this.changes.get(id) ?? [];
      this.changes.delete(id);
      return released;
    });
  }
}
