import type {
  DeliveryState,
  DeviceMessage,
  MessageEdit,
  MessageRemoval,
  ReactionChange,
} from "./records/message.ts";
import { compareText } from "./order.ts";

/** What of an edit decides which one is shown. */
export type EditContent = Pick<MessageEdit, "revision" | "editedAt" | "content">;

/** What changes about a message after it was written. */
export type MessageState = Pick<DeviceMessage, "content" | "revision" | "editedAt" | "deletedAt">;

const compareEdits = (a: EditContent, b: EditContent): number =>
  a.revision - b.revision || a.editedAt - b.editedAt || compareText(a.content, b.content);

export const isSameEdit = (a: EditContent, b: EditContent): boolean =>
  a.revision === b.revision && a.editedAt === b.editedAt && a.content === b.content;

export const isLaterEdit = (edit: EditContent, shown: EditContent): boolean => compareEdits(edit, shown) > 0;

/** Edits as a history, the one that is shown last. */
export const inOrder = <Edit extends EditContent>(edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted(compareEdits);

/** More would let one author make everybody's device slow; the first text is kept apart from them. */
export const MAX_EDITS = 200;

/** Those edits that are kept, whatever the order in which they arrive: the last ones of the history. */
export const keptEdits = <Edit extends EditContent>(edits: readonly Edit[]): readonly Edit[] =>
  edits.length <= MAX_EDITS ? edits : inOrder(edits).slice(-MAX_EDITS);

/** A removed message has no text and no edits, whatever arrived first, so that all devices end with the same record. */
export const removedState = (deletedAt: number): MessageState => ({
  content: "",
  revision: 0,
  editedAt: null,
  deletedAt,
});

/** How a message looks given its first text and everything that is known about it, in any order. */
export function messageState(
  original: string,
  edits: readonly EditContent[],
  removal: Pick<MessageRemoval, "deletedAt"> | undefined,
): MessageState {
  if (removal) return removedState(removal.deletedAt);
  const shown = inOrder(edits).at(-1);
  if (!shown) return { content: original, revision: 0, editedAt: null, deletedAt: null };
  return { content: shown.content, revision: shown.revision, editedAt: shown.editedAt, deletedAt: null };
}

/** Of several removals the earliest. */
export const removalTime = (a: number, b: number): number => Math.min(a, b);

/** A message that was sent once stays sent; before, the device's own last word counts. */
export const mergedDelivery = (known: DeliveryState, arriving: DeliveryState): DeliveryState =>
  known === "sent" ? known : arriving;

type ReactionWord = Pick<ReactionChange, "present" | "at">;

export const isStrongerReaction = (word: ReactionWord, known: ReactionWord): boolean =>
  word.at > known.at || (word.at === known.at && known.present && !word.present);
