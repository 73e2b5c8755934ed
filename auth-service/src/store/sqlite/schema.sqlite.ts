import type { Migration } from "@hearth/runtime";

export const migrations: readonly Migration[] = [
  {
    number: 1,
    name: "accounts, sessions, device tokens, signing keys",
    sql: `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    username TEXT NOT NULL,
    folded_name TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE account_addresses (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    address_block TEXT NOT NULL,
    last_login_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, address_block)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX account_addresses_by_age ON account_addresses (last_login_at);

  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ip TEXT NOT NULL,
    user_agent TEXT,
    device_name TEXT,
    ended_at INTEGER,
    end_reason TEXT CHECK (end_reason IN ('revoked', 'expired')),
    announced INTEGER NOT NULL DEFAULT 0,
    CHECK ((ended_at IS NULL) = (end_reason IS NULL))
  ) STRICT;
  CREATE INDEX sessions_by_account ON sessions (account_id);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at) WHERE ended_at IS NULL;
  CREATE INDEX sessions_to_announce ON sessions (ended_at) WHERE ended_at IS NOT NULL AND announced = 0;
  CREATE INDEX sessions_to_forget ON sessions (ended_at) WHERE announced = 1;

  CREATE TABLE device_tokens (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    device_id TEXT NOT NULL,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    platform TEXT NOT NULL,
    token TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, device_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX device_tokens_by_session ON device_tokens (session_id);

  CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY,
    x TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  },
  {
    number: 2,
    name: "account states, blocks, reports, invitations, reset codes, audit log",
    sql: `
  ALTER TABLE accounts ADD COLUMN state TEXT NOT NULL DEFAULT 'active'
    CHECK (state IN ('active', 'suspended', 'deleted'));
  ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;
  ALTER TABLE accounts ADD COLUMN owned_servers TEXT CHECK (owned_servers IN ('transfer', 'delete'));
  ALTER TABLE accounts ADD COLUMN tell_at INTEGER;
  CREATE INDEX accounts_to_tell ON accounts (tell_at) WHERE tell_at IS NOT NULL;

  CREATE TABLE blocks (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, user_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blocks_by_user ON blocks (user_id);

  CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    reporter_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL,
    server_id TEXT,
    message_id TEXT,
    reason TEXT NOT NULL,
    comment TEXT,
    quoted_text TEXT,
    created_at INTEGER NOT NULL,
    resolved_at INTEGER,
    resolution TEXT
  ) STRICT;
  CREATE INDEX reports_by_reporter ON reports (reporter_id);
  CREATE INDEX reports_open ON reports (created_at) WHERE resolved_at IS NULL;

  CREATE TABLE invitations (
    id TEXT PRIMARY KEY,
    code_hash TEXT NOT NULL UNIQUE,
    max_uses INTEGER NOT NULL,
    remaining INTEGER NOT NULL CHECK (remaining >= 0),
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT;

  CREATE TABLE reset_codes (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT,
    outcome TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_log_by_time ON audit_log (at);
  CREATE TRIGGER audit_log_never_changes BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_log_never_shrinks BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  `,
  },
];
