import { attachmentOf, attachmentSchema, isStrongerReaction, reactionSchema } from "@hearth/device";
import type { DeviceAttachment, DeviceReaction, NewAttachment, ReactionChange } from "@hearth/device";
import { once } from "../database/calls.sqlite.ts";
import type { DeviceCalls, WriterCalls } from "../database/calls.sqlite.ts";
import { Table } from "../database/table.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../../device-store.ts";

const REACTIONS = new Table<ReactionChange>("reactions", reactionSchema);
const ATTACHMENTS = new Table<NewAttachment>("attachments", attachmentSchema);

const writing = ({ prepare }: WriterCalls) => ({
  reaction: prepare(`
    SELECT ${REACTIONS.select()} FROM reactions WHERE message_id = ? AND emoji = ? AND user_id = ?`),
  react: prepare(`INSERT OR REPLACE ${REACTIONS.into()}`),
  touch: prepare("UPDATE messages SET touched_at = ? WHERE id = ?"),
  attach: prepare(`
    INSERT ${ATTACHMENTS.into()}
    ON CONFLICT (id) DO UPDATE SET local_path = coalesce(excluded.local_path, local_path)`),
});

type ExtrasWriter = Pick<DeviceWriter, "changeReactions" | "saveAttachments">;

export function messageExtrasWriter(db: WriterCalls): ExtrasWriter {
  const sql = writing(db);
  return {
    changeReactions: db.transaction((changes) => {
      const changeTime = once(db.changeTime);
      for (const reaction of changes) {
        const { messageId, emoji, userId } = reaction;
        const row = sql.reaction.get(messageId, emoji, userId);
        if (row && !isStrongerReaction(reaction, REACTIONS.record(row))) continue;
        sql.react.run(REACTIONS.row(reaction));
        sql.touch.run(changeTime(), messageId);
      }
    }),
    saveAttachments: db.transaction((attachments) => {
      for (const attachment of attachments) sql.attach.run(ATTACHMENTS.row(attachment));
    }),
  };
}

const ATTACHMENT = ATTACHMENTS.select("a");

/** Details of a removed message are not shown, whatever arrived first. */
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

const attachmentsOf = (rows: readonly object[]): DeviceAttachment[] =>
  rows.map((row) => attachmentOf(ATTACHMENTS.record(row)));

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
