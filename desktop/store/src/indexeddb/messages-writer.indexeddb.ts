import { editSchema, newMessageSchema, positionSchema, reactionSchema, removalSchema } from "@hearth/device";
import { z } from "zod";
import type { MessageEdit, MessageRemoval, NewMessage, ReactionChange } from "@hearth/device";
import { isSameEdit, isStrongerReaction, keptEdits, mergedDelivery, removalTime } from "@hearth/device";
import type { DeviceWriter, MessagePosition } from "../device-store.ts";
import type { StoreCalls } from "./database/calls.indexeddb.ts";
import { mergeRecords } from "./database/merging.indexeddb.ts";
import { MESSAGE_STORES, messageBatch } from "./message-batch.indexeddb.ts";
import type { MessageBatch, MessageTransaction } from "./message-batch.indexeddb.ts";
import type { MessageChanges } from "./database/schema.indexeddb.ts";
import { arrived, changed, delivered, postponed } from "./stored-message.indexeddb.ts";

function save({ messages, changes, changeTime }: MessageBatch, arriving: NewMessage): void {
  const { id, roomId } = arriving;
  const known = messages.get(id);
  if (!known) {
    messages.set(id, arrived(arriving, changes.get([id, roomId]), changeTime()));
    return;
  }
  const delivery = mergedDelivery(known.delivery, arriving.delivery);
  if (delivery !== known.delivery) messages.set(id, delivered(known, delivery, changeTime()));
}

function postpone({ messages, changeTime }: MessageBatch, { id, timestamp }: MessagePosition): void {
  const known = messages.get(id);
  if (known?.delivery !== "pending" || known.deletedAt !== null || known.timestamp >= timestamp) return;
  messages.set(id, postponed(known, timestamp, changeTime()));
}

/** Saves the changes, and updates the message if it exists in that room. */
function tell({ messages, changes, changeTime }: MessageBatch, next: MessageChanges): void {
  const { messageId, roomId } = next;
  changes.set([messageId, roomId], next);
  const known = messages.get(messageId);
  if (known?.roomId === roomId) messages.set(messageId, changed(known, next, changeTime()));
}

function change(batch: MessageBatch, { messageId, roomId, content, revision, editedAt }: MessageEdit): void {
  const known = batch.changes.get([messageId, roomId]);
  const arriving = { content, revision, editedAt };
  const edits = known?.edits ?? [];
  const isOfRemoved = known !== undefined && known.deletedAt !== null;
  if (isOfRemoved || edits.some((kept) => isSameEdit(kept, arriving))) return;
  const kept = keptEdits([...edits, arriving]);
  if (kept.includes(arriving)) tell(batch, { messageId, roomId, edits: [...kept], deletedAt: null });
}

function remove(batch: MessageBatch, { messageId, roomId, deletedAt }: MessageRemoval): void {
  const known = batch.changes.get([messageId, roomId])?.deletedAt ?? null;
  const time = known === null ? deletedAt : removalTime(known, deletedAt);
  if (time !== known) tell(batch, { messageId, roomId, edits: [], deletedAt: time });
}

const reactionKey = ({ messageId, emoji, userId }: ReactionChange): [string, string, string] => [
  messageId,
  emoji,
  userId,
];

/** For an existing message, any change of `FullMessage` counts; for a removed one nothing does. */
async function react(
  transaction: MessageTransaction,
  arriving: readonly ReactionChange[],
  now: () => number,
): Promise<void> {
  const reactions = transaction.objectStore("reactions");
  const words = await mergeRecords(arriving, {
    keyOf: reactionKey,
    get: (key) => reactions.get(key),
    put: (record) => reactions.put(record),
    merged: (word, known) => (isStrongerReaction(word, known) ? word : undefined),
  });
  const batch = await messageBatch(transaction, words, now);
  for (const { messageId } of words) {
    const known = batch.messages.get(messageId);
    if (known?.deletedAt === null) batch.messages.set(messageId, { ...known, toldAt: batch.changeTime() });
  }
  await batch.write();
}

type MessagesWriter = Pick<
  DeviceWriter,
  "saveMessages" | "postponeMessages" | "editMessages" | "removeMessages" | "changeReactions"
>;

export const messagesWriter = ({ write, now }: StoreCalls): MessagesWriter => ({
  saveMessages: write(MESSAGE_STORES, z.tuple([z.array(newMessageSchema)]), async (transaction, arriving) => {
    const about = arriving.map(({ id, roomId }) => ({ messageId: id, roomId }));
    const batch = await messageBatch(transaction, about, now);
    for (const one of arriving) save(batch, one);
    await batch.write();
  }),
  postponeMessages: write(
    MESSAGE_STORES,
    z.tuple([z.array(positionSchema)]),
    async (transaction, positions) => {
      const about = positions.map(({ id }) => ({ messageId: id }));
      const batch = await messageBatch(transaction, about, now);
      for (const one of positions) postpone(batch, one);
      await batch.write();
    },
  ),
  editMessages: write(MESSAGE_STORES, z.tuple([z.array(editSchema)]), async (transaction, arriving) => {
    const batch = await messageBatch(transaction, arriving, now);
    for (const one of arriving) change(batch, one);
    await batch.write();
  }),
  removeMessages: write(MESSAGE_STORES, z.tuple([z.array(removalSchema)]), async (transaction, arriving) => {
    const batch = await messageBatch(transaction, arriving, now);
    for (const one of arriving) remove(batch, one);
    await batch.write();
  }),
  changeReactions: write(MESSAGE_STORES, z.tuple([z.array(reactionSchema)]), (transaction, arriving) =>
    react(transaction, arriving, now),
  ),
});
