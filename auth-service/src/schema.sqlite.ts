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
];
