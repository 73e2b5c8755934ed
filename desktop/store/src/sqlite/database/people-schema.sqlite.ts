/** Users are keyed by instance and id: an instance cannot rename users of another one. */
export const peopleByInstance = `
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
