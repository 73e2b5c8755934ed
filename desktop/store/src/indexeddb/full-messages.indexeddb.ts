import { inOrder } from "@hearth/device";
import { compareText, orderKey } from "@hearth/device";
import type { HistoryReader, FullMessage, Removal } from "../history.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { behind, behindAll, within } from "./database/key-ranges.indexeddb.ts";
import { firstOf } from "./database/pages.indexeddb.ts";
import type { ReadTransaction, StoredMessage } from "./database/schema.indexeddb.ts";
import { firstMessage } from "./stored-message.indexeddb.ts";

const STORES = ["messages", "messageChanges", "reactions"] as const;

type FullMessagesPage = Parameters<HistoryReader["fullMessages"]>[1];

async function fullMessageOf(
  transaction: ReadTransaction<(typeof STORES)[number]>,
  row: StoredMessage,
): Promise<FullMessage> {
  const { id: messageId, roomId, deletedAt } = row;
  const message = firstMessage(row);
  if (deletedAt !== null) return { message, edits: [], deletedAt, reactions: [] };
  const [changes, words] = await Promise.all([
    transaction.objectStore("messageChanges").get([messageId, roomId]),
    transaction.objectStore("reactions").getAll(within(messageId)),
  ]);
  return {
    message,
    edits: inOrder(changes?.edits ?? []).map((edit) => ({ messageId, roomId, ...edit })),
    deletedAt,
    reactions: words.toSorted((a, b) => compareText(a.emoji, b.emoji) || compareText(a.userId, b.userId)),
  };
}

type RemovalKinds = Readonly<Record<Removal["kind"], true>>;
const REMOVAL_KINDS: RemovalKinds = { room: true, friend: true, emoji: true };

const isRemovalKind = (kind: string): kind is Removal["kind"] => Object.hasOwn(REMOVAL_KINDS, kind);

export const fullMessagesReader = ({
  read,
}: StoreCalls): Pick<HistoryReader, "fullMessages" | "removals"> => ({
  fullMessages: read(STORES, async (transaction, roomId: string, { after, limit }: FullMessagesPage) => {
    const range =
      after.id === undefined
        ? behindAll([roomId], after.updatedAt)
        : behind([roomId], [after.updatedAt, orderKey(after.id)]);
    const order = transaction.objectStore("messages").index("byLore");
    const { rows, hasMore } = await firstOf(order, range, limit);
    const last = hasMore ? rows.at(-1) : undefined;
    return {
      messages: await Promise.all(rows.map((row) => fullMessageOf(transaction, row))),
      next: last ? { updatedAt: last.toldAt, id: last.id } : null,
    };
  }),
  removals: read(["removals"], async (transaction) => {
    const all = await transaction.objectStore("removals").getAll();
    const told = all.flatMap(({ kind, id, removedAt }): Removal[] =>
      isRemovalKind(kind) ? [{ kind, id, at: removedAt }] : [],
    );
    return told.toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.id, b.id));
  }),
});
