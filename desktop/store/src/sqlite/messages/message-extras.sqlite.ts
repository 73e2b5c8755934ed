import { isStrongerReaction } from "@hearth/device";
import type { DeviceAttachment, DeviceReaction } from "@hearth/device";
import { once } from "../database/calls.sqlite.ts";
import type { DeviceCalls, WriterCalls } from "../database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../../device-store.ts";

const writing = ({ prepare }: WriterCalls) => ({
  reaction: prepare("SELECT present, at FROM reactions WHERE message_id = ? AND emoji = ? AND user_id = ?"),
  react: prepare(`
    INSERT OR REPLACE INTO reactions (message_id, emoji, user_id, present, at)
    VALUES (:messageId, :emoji, :userId, :present, :at)`),
  touch: prepare("UPDATE messages SET touched_at = ? WHERE id = ?"),
  attach: prepare(`
    INSERT INTO attachments (id, message_id, room_id, filename, size, mime, hash, local_path, created_at)
    VALUES (:id, :messageId, :roomId, :filename, :size, :mime, :hash, :localPath, :createdAt)
    ON CONFLICT (id) DO UPDATE SET local_path = coalesce(excluded.local_path, local_path)`),
});

type ExtrasWriter = Pick<DeviceWriter, "changeReactions" | "saveAttachments">;

export function messageExtrasWriter(db: WriterCalls): ExtrasWriter {
  const sql = writing(db);
  return {
    changeReactions: db.transaction((changes) => {
      const changeTime = once(db.changeTime);
      for (const { messageId, emoji, userId, present, at } of changes) {
        const key = { messageId, emoji, userId };
        const row = sql.reaction.get(...Object.values(key)) as { present: number; at: number } | undefined;
        if (row && !isStrongerReaction({ present, at }, { at: row.at, present: row.present === 1 })) continue;
        sql.react.run({ ...key, present: Number(present), at });
        sql.touch.run(changeTime(), messageId);
      }
    }),
    saveAttachments: db.transaction((attachments) => {
      for (const { id, messageId, roomId, filename, size, mime, hash, localPath, createdAt } of attachments) {
        sql.attach.run({ id, messageId, roomId, filename, size, mime, hash, localPath, createdAt });
      }
    }),
  };
}

const ATTACHMENT = `a.id, a.message_id AS messageId, a.room_id AS roomId, a.filename, a.size, a.mime, a.hash,
  a.local_path IS NOT NULL AS isLocal, a.created_at AS createdAt`;

/** What came with a message that was removed is not shown, in whatever order the two arrived. */
const SHOWN = "NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = a.message_id AND m.deleted_at IS NOT NULL)";

const reading = ({ prepare }: DeviceCalls) => ({
  deletedAt: prepare("SELECT deleted_at AS deletedAt FROM messages WHERE id = ?"),
  reactions: prepare(`
    SELECT message_id AS messageId, emoji, user_id AS userId, at AS createdAt FROM reactions
    WHERE message_id = ? AND present = 1 ORDER BY at, emoji, user_id`),
  ofMessage: prepare(
    `SELECT ${ATTACHMENT} FROM attachments a WHERE a.message_id = ? AND ${SHOWN} ORDER BY a.created_at, a.id`,
  ),
  all: prepare(`SELECT ${ATTACHMENT} FROM attachments a WHERE ${SHOWN} ORDER BY a.created_at, a.id`),
});

type AttachmentRow = Omit<DeviceAttachment, "isLocal"> & { readonly isLocal: number };

const attachmentsOf = (rows: unknown): DeviceAttachment[] =>
  (rows as AttachmentRow[]).map((row) => ({ ...row, isLocal: row.isLocal === 1 }));

type ExtrasReader = Pick<DeviceReader, "reactions" | "messageAttachments" | "attachments">;

export function messageExtrasReader(db: DeviceCalls): ExtrasReader {
  const sql = reading(db);
  return {
    reactions: db.snapshot((messageId) => {
      const message = sql.deletedAt.get(messageId);
      if (!message) return undefined;
      if (message["deletedAt"] !== null) return [];
      return sql.reactions.all(messageId).map((row) => ({ ...row })) as unknown as DeviceReaction[];
    }),
    messageAttachments: db.snapshot((messageId) => {
      if (!sql.deletedAt.get(messageId)) return undefined;
      return attachmentsOf(sql.ofMessage.all(messageId));
    }),
    attachments: db.query(() => attachmentsOf(sql.all.all())),
  };
}
