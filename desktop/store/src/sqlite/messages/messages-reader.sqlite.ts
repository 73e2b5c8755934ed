import type { SqliteCalls } from "@hearth/runtime";
import type { MessageEdit } from "@hearth/device";
import { inOrder } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import type { DeviceCalls } from "../database/calls.sqlite.ts";
import type { ChangePosition, DeviceReader, MessagePosition } from "../../device-store.ts";
import { MESSAGE, MESSAGE_JSON, lastOf, messagesOf } from "./message-row.sqlite.ts";
import { END, ROOM_LEVEL, positionsReader } from "./positions.sqlite.ts";
import type { Place } from "./positions.sqlite.ts";

/** The parameters of a page: room, position and limit. */
type Slice = Record<keyof Place | "roomId" | "limit", string | number>;

/** The content of a page and its last message. */
type Read<Body> = readonly [body: Body, last: DeviceMessage | undefined];

/**
 * A page as records or as JSON text. The inner query's order is kept. SQLite returns the text as bytes: making a
 * string of it costs more than the query, and the sender needs bytes anyway.
 */
function slices({ prepare }: SqliteCalls, where: string) {
  const slice = `FROM messages m WHERE m.room_id = :roomId AND ${where} LIMIT :limit OFFSET :skip`;
  const rows = prepare(`SELECT ${MESSAGE} ${slice}`);
  rows.setReturnArrays(true);
  const json = prepare(`
    SELECT CAST('[' || coalesce(group_concat(json, ','), '') || ']' AS BLOB) AS json
    FROM (SELECT ${MESSAGE_JSON} AS json ${slice})`);
  return {
    records: (at: Slice): Read<{ readonly messages: readonly DeviceMessage[] }> => {
      const messages = messagesOf(rows.all(at));
      return [{ messages }, messages.at(-1)];
    },
    text: (at: Slice): Read<{ readonly json: Uint8Array }> => {
      const text = json.get(at)?.["json"] as Uint8Array;
      return [{ json: text }, lastOf(text)];
    },
  };
}

const BY_TIME = "(m.timestamp, m.id)";
const BY_CHANGE = "(m.updated_at, m.id)";

const prepared = (db: SqliteCalls) => ({
  from: slices(db, `${BY_TIME} >= (:timestamp, :id) ORDER BY m.timestamp, m.id`),
  behind: slices(db, `${BY_TIME} > (:timestamp, :id) ORDER BY m.timestamp, m.id`),
  since: slices(db, `${BY_CHANGE} > (:timestamp, :id) ORDER BY m.updated_at, m.id`),
  hasMore: db.prepare(`SELECT 1 FROM messages m WHERE m.room_id = ? AND ${BY_TIME} > (?, ?) LIMIT 1`),
  hasMoreChanges: db.prepare(
    `SELECT 1 FROM messages m WHERE m.room_id = ? AND ${BY_CHANGE} > (?, ?) LIMIT 1`,
  ),
  total: db.prepare(`
    SELECT (SELECT messages FROM positions WHERE room_id = r.id AND level = ${ROOM_LEVEL}) AS total
    FROM rooms r WHERE r.id = ?`),
  message: db.prepare(`SELECT ${MESSAGE} FROM messages m WHERE m.id = ?`),
  written: db.prepare(`
    SELECT id AS messageId, room_id AS roomId, original AS content, 0 AS revision, timestamp AS editedAt
    FROM messages WHERE id = ?`),
  edits: db.prepare(`
    SELECT message_id AS messageId, room_id AS roomId, content, revision, edited_at AS editedAt
    FROM message_edits WHERE message_id = ? AND room_id = ?`),
});

type Statements = ReturnType<typeof prepared>;
type Slices = Statements["from"];
type From = { readonly offset: number } | MessagePosition;
type After = ChangePosition | { readonly updatedAt: number };

/** Reads pages of a room with the given reader for their content. */
function pagesOf(db: SqliteCalls, sql: Statements) {
  const positions = positionsReader(db);
  const totalOf = (roomId: string): number | undefined => {
    const room = sql.total.get(roomId);
    return room && Number(room["total"] ?? 0);
  };
  return {
    inOrder: <Body>(
      roomId: string,
      limit: number,
      from: From,
      read: (slices: Slices, at: Slice) => Read<Body>,
    ) => {
      const total = totalOf(roomId);
      if (total === undefined) return undefined;
      const isBehind = "id" in from;
      const [slices, place]: readonly [Slices, Place] = isBehind
        ? [sql.behind, { timestamp: from.timestamp, id: from.id, skip: 0 }]
        : [sql.from, from.offset < total ? positions.place(roomId, from.offset) : { ...END, skip: 0 }];
      const [body, last] = read(slices, { roomId, ...place, limit });
      const next =
        last && sql.hasMore.get(roomId, last.timestamp, last.id)
          ? { timestamp: last.timestamp, id: last.id }
          : null;
      return { ...body, next, total };
    },
    since: <Body>(
      roomId: string,
      limit: number,
      after: After,
      read: (slices: Slices, at: Slice) => Read<Body>,
    ) => {
      if (totalOf(roomId) === undefined) return undefined;
      // Ids are never empty, so this sorts before everything of the next millisecond.
      const { updatedAt, id } = "id" in after ? after : { updatedAt: after.updatedAt + 1, id: "" };
      const [body, last] = read(sql.since, { roomId, timestamp: updatedAt, id, skip: 0, limit });
      const next =
        last && sql.hasMoreChanges.get(roomId, last.updatedAt, last.id)
          ? { updatedAt: last.updatedAt, id: last.id }
          : null;
      return { ...body, next };
    },
  };
}

type MessagesReader = Pick<
  DeviceReader,
  "messages" | "messagesJson" | "messagesSince" | "messagesSinceJson" | "message" | "messageEdits"
>;

export function messagesReader(db: DeviceCalls): MessagesReader {
  const sql = prepared(db);
  sql.message.setReturnArrays(true);
  const pages = pagesOf(db, sql);
  return {
    messages: db.snapshot((roomId, { limit, from }) =>
      pages.inOrder(roomId, limit, from, (slices, at) => slices.records(at)),
    ),
    messagesJson: db.snapshot((roomId, { limit, from }) =>
      pages.inOrder(roomId, limit, from, (slices, at) => slices.text(at)),
    ),
    messagesSince: db.snapshot((roomId, { limit, after }) =>
      pages.since(roomId, limit, after, (slices, at) => slices.records(at)),
    ),
    messagesSinceJson: db.snapshot((roomId, { limit, after }) =>
      pages.since(roomId, limit, after, (slices, at) => slices.text(at)),
    ),
    message: db.query((messageId) => messagesOf(sql.message.all(messageId)).at(0)),
    messageEdits: db.snapshot((messageId) => {
      const written = sql.written.get(messageId) as
        | { readonly roomId: string; readonly content: unknown }
        | undefined;
      if (!written) return undefined;
      if (written.content === null) return [];
      const edits = sql.edits.all(messageId, written.roomId) as unknown as MessageEdit[];
      return [written as MessageEdit, ...inOrder(edits)].map((edit) => ({ ...edit }));
    }),
  };
}
