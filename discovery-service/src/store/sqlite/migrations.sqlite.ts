import type { Migration } from "@hearth/runtime";

const tables = `
  CREATE TABLE servers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    icon_hash TEXT,
    tags TEXT NOT NULL,
    visibility TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    owner_id TEXT NOT NULL,
    member_count INTEGER NOT NULL,
    channels TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    heat REAL NOT NULL
  ) STRICT;
  CREATE INDEX servers_newest ON servers (created_at, id) WHERE visibility = 'public';
  CREATE INDEX servers_hottest ON servers (heat, id) WHERE visibility = 'public';

  CREATE TABLE public_tags (
    tag TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    PRIMARY KEY (tag, created_at, server_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX public_tags_of_server ON public_tags (server_id);

  CREATE TABLE members (
    user_id TEXT NOT NULL,
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    display_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'moderator', 'member')),
    joined_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, server_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_of_server ON members (server_id, joined_at, user_id);
  CREATE INDEX members_of_user ON members (user_id, joined_at, server_id);
  CREATE INDEX members_staff ON members (server_id) WHERE role <> 'member';
  CREATE UNIQUE INDEX members_owner ON members (server_id) WHERE role = 'owner';

  CREATE TABLE bans (
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    banned_by TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revision TEXT NOT NULL,
    PRIMARY KEY (server_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bans_latest ON bans (server_id, created_at, user_id);

  CREATE TABLE invites (
    code TEXT PRIMARY KEY,
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    max_uses INTEGER,
    uses INTEGER NOT NULL,
    CHECK (max_uses IS NULL OR uses <= max_uses)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX invites_of_maker ON invites (server_id, created_by);

  CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    display_name TEXT NOT NULL,
    message TEXT,
    status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
    created_at INTEGER NOT NULL,
    decided_at INTEGER,
    decided_by TEXT
  ) STRICT;
  CREATE UNIQUE INDEX requests_pending_once ON requests (server_id, user_id) WHERE status = 'pending';
  CREATE INDEX requests_pending ON requests (server_id, created_at, id) WHERE status = 'pending';
  CREATE INDEX requests_of_server ON requests (server_id);
  CREATE INDEX requests_of_user ON requests (user_id) WHERE status = 'pending';

  CREATE TABLE plugins (
    server_id TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    plugin_id TEXT NOT NULL,
    version TEXT NOT NULL,
    required TEXT NOT NULL CHECK (required IN ('required', 'recommended', 'optional')),
    config TEXT,
    updated_at INTEGER NOT NULL,
    updated_by TEXT NOT NULL,
    revision TEXT NOT NULL,
    PRIMARY KEY (server_id, plugin_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE endings (
    id TEXT PRIMARY KEY,
    server_id TEXT NOT NULL,
    user_id TEXT,
    reason TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

const abuse = `
  ALTER TABLE members ADD COLUMN username TEXT;
  ALTER TABLE requests ADD COLUMN username TEXT;
  CREATE INDEX servers_of_owner ON servers (owner_id);
  CREATE INDEX invites_latest ON invites (server_id, created_at, code);
  CREATE INDEX invites_of_user ON invites (created_by);
  CREATE INDEX bans_of_user ON bans (user_id);
  CREATE INDEX requests_of_user_all ON requests (user_id);

  CREATE TABLE featured (
    server_id TEXT PRIMARY KEY REFERENCES servers (id) ON DELETE CASCADE,
    featured_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const migrations: readonly Migration[] = [
  { number: 1, name: "directory", sql: tables },
  { number: 2, name: "usernames, quotas and featured servers", sql: abuse },
];
