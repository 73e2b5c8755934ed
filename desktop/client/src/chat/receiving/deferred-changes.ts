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
  private readonly held = new Map<string, readonly ReceivedChange[]>();

  hold(change: ReceivedChange): void {
    const known = this.held.get(change.messageId) ?? [];
    this.held.set(change.messageId, [...known, change].slice(-MAX_OF_ONE));
    if (this.held.size <= MAX_MESSAGES) return;
    const [first] = this.held.keys();
    if (first !== undefined) this.held.delete(first);
  }

  take(messageIds: readonly string[]): readonly ReceivedChange[] {
    if (this.held.size === 0) return [];
    return messageIds.flatMap((id) => {
      const changes = this.held.get(id) ?? [];
      this.held.delete(id);
      return changes;
    });
  }
}
