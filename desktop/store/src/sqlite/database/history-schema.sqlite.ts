/**
 * The client's columns and indexes. `touched_at` is the time of any change of a full message; `updated_at` only
 * counts what a reader of the record sees, for example no reactions.
 */
export const historySchema = `
  ALTER TABLE messages ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;
  UPDATE messages SET touched_at = updated_at;
  CREATE INDEX messages_by_touch ON messages (room_id, touched_at, id);
  CREATE INDEX messages_of_channel ON messages (room_id, channel_id, timestamp, id);
  CREATE INDEX messages_with_mentions ON messages (room_id, channel_id, timestamp, id) WHERE mentions <> '[]';
  CREATE INDEX messages_undelivered ON messages (timestamp, id) WHERE delivery <> 'sent';
  CREATE INDEX messages_by_time ON messages (timestamp, id);
`;
