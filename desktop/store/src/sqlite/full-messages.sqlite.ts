import type { SqliteCalls } from "@hearth/runtime";
import { editSchema, inOrder, newMessageSchema, reactionSchema } from "@hearth/device";
import type { DeviceMessage, MessageEdit, NewMessage, ReactionChange } from "@hearth/device";
import type { DeviceCalls } from "./database/calls.sqlite.ts";
import { Table } from "./database/table.sqlite.ts";
import type { HistoryReader, FullMessage } from "../history.ts";

const WRITTEN = new Table<NewMessage>("messages", newMessageSchema);
const EDITS = new Table<MessageEdit>("message_edits", editSchema);
const REACTIONS = new Table<ReactionChange>("reactions", reactionSchema);

type FullMessageRow = Pick<DeviceMessage, "id" | "roomId" | "deletedAt"> & { readonly touchedAt: number };

const prepared = ({ prepare }: SqliteCalls) => ({
  changed: prepare(`
    SELECT ${WRITTEN.select("m", { content: "coalesce(m.original, m.content)" })},
      m.deleted_at AS deletedAt, m.touched_at AS touchedAt
    FROM messages m WHERE m.room_id = :roomId AND (m.touched_at, m.id) > (:updatedAt, :id)
    ORDER BY m.touched_at, m.id LIMIT :limit`),
  edits: prepare(`SELECT ${EDITS.select()} FROM message_edits WHERE message_id = ? AND room_id = ?`),
  reactions: prepare(`
    SELECT ${REACTIONS.select()} FROM reactions WHERE message_id = ? ORDER BY emoji, user_id`),
});

type Statements = ReturnType<typeof prepared>;

function fullMessageOf(sql: Statements, row: FullMessageRow): FullMessage {
  const { deletedAt } = row;
  const edits = sql.edits.all(row.id, row.roomId) as unknown as MessageEdit[];
  const reactions = deletedAt === null ? sql.reactions.all(row.id) : [];
  return {
    message: WRITTEN.record(row),
    edits: inOrder(edits).map((edit) => ({ ...edit })),
    deletedAt,
    reactions: reactions.map((word) => REACTIONS.record(word)),
  };
}

export function historyFullMessages(db: DeviceCalls): Pick<HistoryReader, "fullMessages"> {
  const sql = prepared(db);
  return {
    fullMessages: db.snapshot((roomId, { after, limit }) => {
      // Ids are never empty, so this sorts before everything of the next millisecond.
      const { updatedAt, id } =
        after.id === undefined ? { updatedAt: after.updatedAt + 1, id: "" } : { ...after, id: after.id };
      const rows = sql.changed.all({
        roomId,
        updatedAt,
        id,
        limit: limit + 1,
      }) as unknown as FullMessageRow[];
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        messages: shown.map((row) => fullMessageOf(sql, row)),
        next: last ? { updatedAt: last.touchedAt, id: last.id } : null,
      };
    }),
  };
}
