import type { SqliteCalls } from "@hearth/runtime";
import type { MessageEdit, ReactionChange } from "@hearth/device";
import { inOrder } from "@hearth/device";
import type { DeliveryState } from "@hearth/device";
import type { DeviceCalls } from "./database/calls.sqlite.ts";
import type { HistoryReader, MessageLore } from "../history.ts";

interface LoreRow {
  readonly id: string;
  readonly roomId: string;
  readonly channelId: string | null;
  readonly senderId: string;
  readonly senderDisplayName: string;
  readonly content: string;
  readonly replyToId: string | null;
  readonly mentions: string;
  readonly timestamp: number;
  readonly delivery: DeliveryState;
  readonly clientInstanceId: string | null;
  readonly deletedAt: number | null;
  readonly touchedAt: number;
}

const prepared = ({ prepare }: SqliteCalls) => ({
  changed: prepare(`
    SELECT m.id, m.room_id AS roomId, m.channel_id AS channelId, m.sender_id AS senderId,
      m.sender_display_name AS senderDisplayName, coalesce(m.original, m.content) AS content,
      m.reply_to_id AS replyToId, m.mentions, m.timestamp, m.delivery, m.client_instance_id AS clientInstanceId,
      m.deleted_at AS deletedAt, m.touched_at AS touchedAt
    FROM messages m WHERE m.room_id = :roomId AND (m.touched_at, m.id) > (:updatedAt, :id)
    ORDER BY m.touched_at, m.id LIMIT :limit`),
  edits: prepare(`
    SELECT message_id AS messageId, room_id AS roomId, content, revision, edited_at AS editedAt
    FROM message_edits WHERE message_id = ? AND room_id = ?`),
  reactions: prepare(`
    SELECT message_id AS messageId, emoji, user_id AS userId, present, at FROM reactions
    WHERE message_id = ? ORDER BY emoji, user_id`),
});

type Statements = ReturnType<typeof prepared>;

const wordOf = ({ messageId, emoji, userId, present, at }: Record<keyof ReactionChange, unknown>) =>
  ({ messageId, emoji, userId, present: present === 1, at }) as ReactionChange;

function loreOf(sql: Statements, { deletedAt, touchedAt: _, mentions, ...row }: LoreRow): MessageLore {
  const edits = sql.edits.all(row.id, row.roomId) as unknown as MessageEdit[];
  const words = sql.reactions.all(row.id) as unknown as Record<keyof ReactionChange, unknown>[];
  return {
    message: { ...row, mentions: JSON.parse(mentions) as string[] },
    edits: inOrder(edits).map((edit) => ({ ...edit })),
    deletedAt,
    reactions: deletedAt === null ? words.map(wordOf) : [],
  };
}

export function historyLore(db: DeviceCalls): Pick<HistoryReader, "lore"> {
  const sql = prepared(db);
  return {
    lore: db.snapshot((roomId, { after, limit }) => {
      // No id is empty, so that without one this is in front of everything of the millisecond behind.
      const { updatedAt, id } =
        after.id === undefined ? { updatedAt: after.updatedAt + 1, id: "" } : { ...after, id: after.id };
      const rows = sql.changed.all({ roomId, updatedAt, id, limit: limit + 1 }) as unknown as LoreRow[];
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        lore: shown.map((row) => loreOf(sql, row)),
        next: last ? { updatedAt: last.touchedAt, id: last.id } : null,
      };
    }),
  };
}
