const rooms = `
  CREATE TABLE profile (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    username TEXT NOT NULL,
    display_name TEXT NOT NULL,
    home_signal_server_url TEXT NOT NULL,
    avatar_hash TEXT,
    avatar_mime TEXT,
    card_text TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    signal_server_url TEXT NOT NULL,
    actor_user_id TEXT NOT NULL,
    icon_hash TEXT,
    tags TEXT NOT NULL,
    visibility TEXT NOT NULL,
    owner_id TEXT,
    peer_user_id TEXT,
    role TEXT NOT NULL,
    channels TEXT NOT NULL,
    muted INTEGER NOT NULL,
    last_read_message_id TEXT,
    last_read_at INTEGER,
    created_at INTEGER NOT NULL,
    joined_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE room_users (
    room_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    last_seen_at INTEGER,
    PRIMARY KEY (room_id, user_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE bans (
    room_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    banned_by TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (room_id, user_id)
  ) STRICT, WITHOUT ROWID;
`;

const people = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    username TEXT,
    display_name TEXT NOT NULL,
    signal_server_url TEXT NOT NULL,
    avatar_hash TEXT,
    avatar_mime TEXT,
    card_text TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE friends (user_id TEXT PRIMARY KEY, added_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- What was removed and when, so that an older word about it that arrives later does not bring it back.
  CREATE TABLE removals (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    member TEXT NOT NULL,
    removed_at INTEGER NOT NULL,
    PRIMARY KEY (kind, id, member)
  ) STRICT, WITHOUT ROWID;
`;

const messages = `
  CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    room_id TEXT NOT NULL,
    channel_id TEXT,
    sender_id TEXT NOT NULL,
    sender_display_name TEXT NOT NULL,
    content TEXT NOT NULL,
    reply_to_id TEXT,
    mentions TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    edited_at INTEGER,
    deleted_at INTEGER,
    delivery TEXT NOT NULL,
    client_instance_id TEXT,
    updated_at INTEGER NOT NULL,
    original TEXT
  ) STRICT;
  CREATE INDEX messages_in_order ON messages (room_id, timestamp, id);
  CREATE INDEX messages_by_change ON messages (room_id, updated_at, id);

  CREATE TABLE message_edits (
    message_id TEXT NOT NULL,
    room_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    edited_at INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (message_id, room_id, revision, edited_at, content)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_edits_of_room ON message_edits (room_id);

  CREATE TABLE message_removals (
    message_id TEXT NOT NULL,
    room_id TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (message_id, room_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX message_removals_of_room ON message_removals (room_id);

  -- The greatest updated_at ever given, also when the message is gone.
  CREATE TABLE change_time (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL) STRICT;
  INSERT INTO change_time VALUES (1, 0);

  -- See positions.sqlite.ts.
  CREATE TABLE positions (
    room_id TEXT NOT NULL,
    level INTEGER NOT NULL,
    timestamp INTEGER NOT NULL,
    id TEXT NOT NULL,
    children INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    PRIMARY KEY (room_id, level, timestamp, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE reactions (
    message_id TEXT NOT NULL,
    emoji TEXT NOT NULL,
    user_id TEXT NOT NULL,
    present INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (message_id, emoji, user_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE attachments (
    id TEXT PRIMARY KEY,
    message_id TEXT NOT NULL,
    room_id TEXT NOT NULL,
    filename TEXT NOT NULL,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    hash TEXT NOT NULL,
    local_path TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX attachments_in_order ON attachments (created_at, id);
  CREATE INDEX attachments_of_message ON attachments (message_id, created_at, id);
  CREATE INDEX attachments_of_room ON attachments (room_id);
`;

const account = `
  CREATE TABLE emoji (
    id TEXT PRIMARY KEY,
    shortcode TEXT NOT NULL,
    mime TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes BLOB NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE plugin_data (
    plugin_id TEXT NOT NULL,
    key TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('local', 'server')),
    server_id TEXT NOT NULL CHECK ((scope = 'local') = (server_id = '')),
    value TEXT NOT NULL,
    PRIMARY KEY (plugin_id, key, scope, server_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX plugin_data_of_server ON plugin_data (server_id) WHERE scope = 'server';

  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- No column may hold a token or a password: those are kept by the operating system, not here.
  CREATE TABLE credentials (
    signal_server_url TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    username TEXT NOT NULL,
    display_name TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    auto_provisioned INTEGER NOT NULL,
    is_home INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const firstSchema = rooms + people + messages + account;
