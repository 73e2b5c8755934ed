import type { MessageEdit, MessageRemoval, NewMessage } from "@hearth/device";
import {
  isLaterEdit,
  isSameEdit,
  keptEdits,
  mergedDelivery,
  messageState,
  MAX_EDITS,
  removalTime,
  removedState,
} from "@hearth/device";
import type { EditContent, MessageState } from "@hearth/device";
import type { DeliveryState, DeviceMessage } from "@hearth/device";
import { once } from "../database/calls.sqlite.ts";
import type { WriterCalls } from "../database/calls.sqlite.ts";
import type { DeviceWriter, MessagePosition } from "../../device-store.ts";
import { MESSAGES } from "./message-row.sqlite.ts";
import { positionsWriter } from "./positions-writer.sqlite.ts";

type Known = Pick<DeviceMessage, "content" | "revision" | "editedAt" | "deletedAt">;

const prepared = ({ prepare }: WriterCalls) => ({
  insert: prepare(`
    INSERT ${MESSAGES.into({ touched_at: ":updatedAt", original: ":original" })} ON CONFLICT DO NOTHING`),
  deliveryOf: prepare("SELECT delivery FROM messages WHERE id = ?"),
  deliver: prepare("UPDATE messages SET delivery = ?, touched_at = ? WHERE id = ?"),
  touch: prepare("UPDATE messages SET touched_at = ? WHERE id = ?"),
  find: prepare(`
    SELECT content, revision, edited_at AS editedAt, deleted_at AS deletedAt
    FROM messages WHERE id = ? AND room_id = ?`),
  change: prepare(`
    UPDATE messages SET content = :content, revision = :revision, edited_at = :editedAt, deleted_at = :deletedAt,
      original = CASE WHEN :deletedAt IS NULL THEN coalesce(original, content) END, updated_at = :updatedAt,
      touched_at = :updatedAt
    WHERE id = :id`),
  editsOf: prepare(`
    SELECT revision, edited_at AS editedAt, content FROM message_edits WHERE message_id = ? AND room_id = ?`),
  keepEdit: prepare(`
    INSERT INTO message_edits (message_id, room_id, revision, edited_at, content)
    VALUES (:messageId, :roomId, :revision, :editedAt, :content) ON CONFLICT DO NOTHING`),
  countEdits: prepare("SELECT count(*) AS number FROM message_edits WHERE message_id = ? AND room_id = ?"),
  dropEdit: prepare(`
    DELETE FROM message_edits
    WHERE message_id = ? AND room_id = ? AND revision = ? AND edited_at = ? AND content = ?`),
  forgetEdits: prepare("DELETE FROM message_edits WHERE message_id = ? AND room_id = ?"),
  removalOf: prepare(
    "SELECT deleted_at AS deletedAt FROM message_removals WHERE message_id = ? AND room_id = ?",
  ),
  keepRemoval: prepare("INSERT OR REPLACE INTO message_removals VALUES (:messageId, :roomId, :deletedAt)"),
});

type Statements = ReturnType<typeof prepared>;
type Removal = Pick<MessageRemoval, "deletedAt"> | undefined;

const removalOf = (sql: Statements, messageId: string, roomId: string): Removal =>
  sql.removalOf.get(messageId, roomId) as Removal;

const change = (sql: Statements, id: string, state: MessageState, updatedAt: number): void =>
  void sql.change.run({ id, ...state, updatedAt });

/** Inserts a new message with the changes that arrived before it. */
function insert(sql: Statements, message: NewMessage, changeTime: () => number): boolean {
  const { id, roomId } = message;
  const original = message.content;
  const edits = sql.editsOf.all(id, roomId) as unknown as MessageEdit[];
  const state = messageState(original, edits, removalOf(sql, id, roomId));
  const row = MESSAGES.row({ ...message, ...state, updatedAt: changeTime() });
  return sql.insert.run({ ...row, original: state.editedAt === null ? null : original }).changes === 1;
}

function deliver(
  sql: Statements,
  { id, delivery }: NewMessage,
  known: DeliveryState,
  changeTime: () => number,
): void {
  const merged = mergedDelivery(known, delivery);
  if (merged !== known) sql.deliver.run(merged, changeTime(), id);
}

/** False if the edit is known, or older than all that are kept. */
function keep(sql: Statements, arriving: MessageEdit): boolean {
  const { messageId, roomId, revision, editedAt, content } = arriving;
  const isNew = sql.keepEdit.run({ messageId, roomId, revision, editedAt, content }).changes === 1;
  if (!isNew || Number(sql.countEdits.get(messageId, roomId)?.["number"]) <= MAX_EDITS) return isNew;
  const edits = sql.editsOf.all(messageId, roomId) as unknown as EditContent[];
  const kept = new Set(keptEdits(edits));
  const dropped = edits.filter((one) => !kept.has(one));
  for (const one of dropped) sql.dropEdit.run(messageId, roomId, one.revision, one.editedAt, one.content);
  return !dropped.some((one) => isSameEdit(one, arriving));
}

function edit(sql: Statements, arriving: MessageEdit, changeTime: () => number): void {
  const { messageId, roomId, revision, editedAt, content } = arriving;
  if (removalOf(sql, messageId, roomId)) return;
  const isNew = keep(sql, arriving);
  const known = sql.find.get(messageId, roomId) as Known | undefined;
  if (!isNew || !known) return;
  const { editedAt: shownAt } = known;
  if (shownAt !== null && !isLaterEdit({ revision, editedAt, content }, { ...known, editedAt: shownAt })) {
    sql.touch.run(changeTime(), messageId);
    return;
  }
  change(sql, messageId, { content, revision, editedAt, deletedAt: null }, changeTime());
}

function remove(
  sql: Statements,
  { messageId, roomId, deletedAt }: MessageRemoval,
  changeTime: () => number,
): void {
  const known = removalOf(sql, messageId, roomId)?.deletedAt;
  const time = known === undefined ? deletedAt : removalTime(known, deletedAt);
  if (time === known) return;
  sql.keepRemoval.run({ messageId, roomId, deletedAt: time });
  sql.forgetEdits.run(messageId, roomId);
  if (sql.find.get(messageId, roomId)) change(sql, messageId, removedState(time), changeTime());
}

type MessagesWriter = Pick<DeviceWriter, "saveMessages" | "editMessages" | "removeMessages">;

export function messagesWriter(db: WriterCalls): MessagesWriter {
  const sql = prepared(db);
  const positions = positionsWriter(db);
  return {
    saveMessages: db.transaction((messages) => {
      const changeTime = once(db.changeTime);
      const added = new Map<string, MessagePosition[]>();
      for (const message of messages) {
        const known = sql.deliveryOf.get(message.id)?.["delivery"] as DeliveryState | undefined;
        if (known !== undefined) deliver(sql, message, known, changeTime);
        else if (insert(sql, message, changeTime)) {
          const keys = added.get(message.roomId) ?? [];
          keys.push({ timestamp: message.timestamp, id: message.id });
          added.set(message.roomId, keys);
        }
      }
      for (const [roomId, keys] of added) positions.add(roomId, keys);
    }),
    editMessages: db.transaction((edits) => {
      const changeTime = once(db.changeTime);
      for (const arriving of edits) edit(sql, arriving, changeTime);
    }),
    removeMessages: db.transaction((removals) => {
      const changeTime = once(db.changeTime);
      for (const removal of removals) remove(sql, removal, changeTime);
    }),
  };
}
