import { callsOf, openSqlite } from "@hearth/runtime";
import type { Log } from "@hearth/runtime";
import { sqliteAccounts } from "./accounts.sqlite.ts";
import { sqliteBans } from "./bans.sqlite.ts";
import { sqliteEndings } from "./endings.sqlite.ts";
import { sqliteFeatured } from "./featured.sqlite.ts";
import { sqliteInvites } from "./invites.sqlite.ts";
import { sqliteMembers } from "./members.sqlite.ts";
import { migrations } from "./migrations.sqlite.ts";
import { sqlitePlugins } from "./plugins.sqlite.ts";
import { sqliteRequests } from "./requests.sqlite.ts";
import { sqliteServers } from "./servers.sqlite.ts";
import { createSteps } from "./steps.sqlite.ts";
import type { Store } from "../../domain/store.ts";

/** The file in the data folder of the embedded mode. */
export const DISCOVERY_DATABASE = "discovery.db";

export interface SqliteDiscoveryStoreOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  readonly log: Log;
}

/** Throws a `StartError` when the file cannot be used. */
export function createSqliteDiscoveryStore({ file, log }: SqliteDiscoveryStoreOptions): Store {
  const db = openSqlite(file, migrations, { log });
  const calls = callsOf(db);
  const steps = createSteps(calls);
  return {
    servers: sqliteServers(calls, steps),
    members: sqliteMembers(calls, steps),
    bans: sqliteBans(calls, steps),
    invites: sqliteInvites(calls, steps),
    requests: sqliteRequests(calls, steps),
    plugins: sqlitePlugins(calls, steps),
    endings: sqliteEndings(calls),
    featured: sqliteFeatured(calls),
    accounts: sqliteAccounts(calls),
    ready: () => db.database.isOpen,
    close: async () => db.close(),
  };
}
