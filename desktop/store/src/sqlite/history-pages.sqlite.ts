import type { SqliteCalls } from "@hearth/runtime";
import type { DeviceMessage } from "@hearth/device";
import type { DeviceCalls } from "./database/calls.sqlite.ts";
import type { MessagePosition } from "../device-store.ts";
import type { ChannelRef, HistoryPage, HistoryReader } from "../history.ts";
import { MESSAGE, messagesOf } from "./messages/message-row.sqlite.ts";
import { END, START } from "./messages/positions.sqlite.ts";

const IN_CHANNEL = "FROM messages m WHERE m.room_id = :roomId AND m.channel_id IS :channelId";
const BEHIND = "(m.timestamp, m.id) > (:timestamp, :id)";
const UNREAD = `${BEHIND} AND m.sender_id <> :userId AND m.deleted_at IS NULL
  AND m.sender_id NOT IN (SELECT value FROM json_each(:without))`;
const MENTIONS = `m.mentions <> '[]' AND EXISTS (SELECT 1 FROM json_each(m.mentions) WHERE value = :userId)`;
const UNREAD_LIMIT = 100;

const rowsOf = ({ prepare }: SqliteCalls, sql: string) => {
  const statement = prepare(sql);
  statement.setReturnArrays(true);
  return (at: Readonly<Record<string, string | number | null>>): DeviceMessage[] =>
    messagesOf(statement.all(at));
};

const prepared = (db: SqliteCalls) => ({
  before: rowsOf(
    db,
    `SELECT ${MESSAGE} ${IN_CHANNEL} AND (m.timestamp, m.id) < (:timestamp, :id)
     ORDER BY m.timestamp DESC, m.id DESC LIMIT :limit`,
  ),
  after: rowsOf(db, `SELECT ${MESSAGE} ${IN_CHANNEL} AND ${BEHIND} ORDER BY m.timestamp, m.id LIMIT :limit`),
  undelivered: rowsOf(
    db,
    `SELECT ${MESSAGE} FROM messages m WHERE m.delivery <> 'sent' AND m.deleted_at IS NULL
     ORDER BY m.timestamp, m.id`,
  ),
  unread: db.prepare(
    `SELECT count(*) AS count FROM (SELECT 1 ${IN_CHANNEL} AND ${UNREAD} LIMIT ${UNREAD_LIMIT})`,
  ),
  mentions: db.prepare(`
    SELECT count(*) AS count FROM (SELECT 1 ${IN_CHANNEL} AND ${UNREAD} AND ${MENTIONS} LIMIT ${UNREAD_LIMIT})`),
  first: db.prepare(
    `SELECT m.timestamp, m.id ${IN_CHANNEL} AND ${UNREAD} ORDER BY m.timestamp, m.id LIMIT 1`,
  ),
});

type PlacesReader = Pick<HistoryReader, "messagesBefore" | "messagesAfter" | "undelivered" | "unread">;

const at = ({ roomId, channelId }: ChannelRef, { timestamp, id }: MessagePosition) => ({
  roomId,
  channelId,
  timestamp,
  id,
});

/** Reads one message more than asked for, to see whether there is more. */
const pageOf = (messages: readonly DeviceMessage[], limit: number): HistoryPage => ({
  messages: messages.slice(0, limit),
  hasMore: messages.length > limit,
});

export function historyPagesReader(db: DeviceCalls): PlacesReader {
  const sql = prepared(db);
  return {
    messagesBefore: db.query((channel, { limit, before }) => {
      const page = pageOf(sql.before({ ...at(channel, before ?? END), limit: limit + 1 }), limit);
      return { ...page, messages: page.messages.toReversed() };
    }),
    messagesAfter: db.query((channel, { limit, after }) =>
      pageOf(sql.after({ ...at(channel, after), limit: limit + 1 }), limit),
    ),
    undelivered: db.query(() => sql.undelivered({})),
    unread: db.snapshot((channel, { after, userId, without = [] }) => {
      const behind = { ...at(channel, after ?? START), userId, without: JSON.stringify(without) };
      const first = sql.first.get(behind) as MessagePosition | undefined;
      return {
        messages: Number(sql.unread.get(behind)?.["count"]),
        mentions: Number(sql.mentions.get(behind)?.["count"]),
        first: first ? { ...first } : null,
      };
    }),
  };
}
