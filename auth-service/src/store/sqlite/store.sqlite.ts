import { openSqlite } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { sqliteAccounts } from "./accounts.sqlite.ts";
import { sqliteDeviceTokens } from "./device-tokens.sqlite.ts";
import { sqliteOperator } from "./operator.sqlite.ts";
import { sqlitePeople } from "./people.sqlite.ts";
import { migrations } from "./schema.sqlite.ts";
import { sqliteSessions } from "./sessions.sqlite.ts";
import { sqliteSigningKeys } from "./signing-keys.sqlite.ts";
import type { AuthStore } from "../../domain/store.ts";

/** The file's name in the data folder; the server and the import command must agree on it. */
export const AUTH_DATABASE = "auth.db";

export interface SqliteAuthStoreOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly log: Log;
}

/** Throws a `StartError` when the file cannot be used. */
export function createSqliteAuthStore({ file, log }: SqliteAuthStoreOptions): AuthStore {
  const db = openSqlite(file, migrations, { log });
  const { writer, ...sessions } = sqliteSessions(db);
  return {
    ...sqliteAccounts(db, writer),
    ...sessions,
    ...sqliteDeviceTokens(db),
    ...sqliteSigningKeys(db),
    ...sqlitePeople(db, writer),
    ...sqliteOperator(db, writer),
    ready: () => db.database.isOpen,
    close: async () => db.close(),
  };
}
