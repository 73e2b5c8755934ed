import type {
  DeliveryState,
  DeviceMessage,
  MessageEdit,
  MessageRemoval,
  ReactionChange,
} from "./records/message.ts";
import { compareText } from "./order.ts";

/** The fields that decide which edit is shown. */
export type EditContent = Pick<MessageEdit, "revision" | "editedAt" | "content">;

/** What can change about a message after it was written. */
export type MessageState = Pick<DeviceMessage, "content" | "revision" | "editedAt" | "deletedAt">;

const compareEdits = (a: EditContent, b: EditContent): number =>
  a.revision - b.revision || a.editedAt - b.editedAt || compareText(a.content, b.content);

export const isSameEdit = (a: EditContent, b: EditContent): boolean =>
  a.revision === b.revision && a.editedAt === b.editedAt && a.content === b.content;

export const isLaterEdit = (edit: EditContent, shown: EditContent): boolean => compareEdits(edit, shown) > 0;

/** Edits in order, the shown one last. */
export const inOrder = <Edit extends EditContent>(edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted(compareEdits);

/** A limit, so that no author can slow down everybody's device; the original text is kept apart. */
export const MAX_EDITS = 200;

/** The edits that are kept, in any order of arrival: the last ones. */
export const keptEdits = <Edit extends EditContent>(edits: readonly Edit[]): readonly Edit[] =>
  edits.length <= MAX_EDITS ? edits : inOrder(edits).slice(-MAX_EDITS);

/** A removed message has no text and no edits, whatever arrived first, so that all devices end with the same record. */
export const removedState = (deletedAt: number): MessageState => ({
  content: "",
  revision: 0,
  editedAt: null,
  deletedAt,
});

/** The record of a message with its original text and all known changes, in any order. */
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

/** The earliest of several removals. */
export const removalTime = (a: number, b: number): number => Math.min(a, b);

/** A sent message stays sent; before that, the device's latest value counts. */
export const mergedDelivery = (known: DeliveryState, arriving: DeliveryState): DeliveryState =>
  known === "sent" ? known : arriving;

type ReactionWord = Pick<ReactionChange, "present" | "at">;

export const isStrongerReaction = (word: ReactionWord, known: ReactionWord): boolean =>
  word.at > known.at || (word.at === known.at && known.present && !word.present);
