import type { Migration } from "@hearth/runtime";
import { firstSchema } from "./schema.sqlite.ts";

/**
 * The client's columns and indexes. `touched_at` is the time of any change of a full message; `updated_at` only
 * counts what a reader of the record sees, for example no reactions.
 */
const historySchema = `
  ALTER TABLE messages ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;
  UPDATE messages SET touched_at = updated_at;
  CREATE INDEX messages_by_touch ON messages (room_id, touched_at, id);
  CREATE INDEX messages_of_channel ON messages (room_id, channel_id, timestamp, id);
  CREATE INDEX messages_with_mentions ON messages (room_id, channel_id, timestamp, id) WHERE mentions <> '[]';
  CREATE INDEX messages_undelivered ON messages (timestamp, id) WHERE delivery <> 'sent';
  CREATE INDEX messages_by_time ON messages (timestamp, id);
`;

/** Users are keyed by instance and id: an instance cannot rename users of another one. */
const peopleByInstance = `
  ALTER TABLE users RENAME TO users_by_id;
  CREATE TABLE users (
    id TEXT NOT NULL,
    username TEXT,
    display_name TEXT NOT NULL,
    signal_server_url TEXT NOT NULL,
    avatar_hash TEXT,
    avatar_mime TEXT,
    card_text TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (id, signal_server_url)
  ) STRICT;
  INSERT INTO users (id, username, display_name, signal_server_url, avatar_hash, avatar_mime, card_text, updated_at)
    SELECT id, username, display_name, signal_server_url, avatar_hash, avatar_mime, card_text, updated_at
    FROM users_by_id;
  DROP TABLE users_by_id;
`;

export const migrations: readonly Migration[] = [
  { number: 1, name: "device", sql: firstSchema },
  { number: 2, name: "history", sql: historySchema },
  { number: 3, name: "people by instance", sql: peopleByInstance },
];
