import type { WriterCalls } from "../database/calls.sqlite.ts";
import type { DeviceWriter, MessagePosition } from "../../device-store.ts";
import { positionsWriter } from "./positions-writer.sqlite.ts";

/** Deletes everything about one message, the message last. */
const CONTENTS = [
  "DELETE FROM reactions WHERE message_id = :id",
  "DELETE FROM attachments WHERE message_id = :id",
  "DELETE FROM message_edits WHERE message_id = :id",
  "DELETE FROM message_removals WHERE message_id = :id",
  "DELETE FROM messages WHERE id = :id",
] as const;

export function messageDropper(db: WriterCalls): Pick<DeviceWriter, "dropMessages"> {
  const find = db.prepare(`
    SELECT timestamp, id FROM messages
    WHERE room_id = ? AND (timestamp, id) <= (?, ?) AND delivery = 'sent' ORDER BY timestamp, id`);
  const contents = CONTENTS.map((sql) => db.prepare(sql));
  const positions = positionsWriter(db);
  return {
    dropMessages: db.transaction((roomId, { timestamp, id: upTo }) => {
      const dropped = find.all(roomId, timestamp, upTo) as unknown as MessagePosition[];
      for (const { id } of dropped) for (const statement of contents) statement.run({ id });
      positions.remove(roomId, dropped);
    }),
  };
}
