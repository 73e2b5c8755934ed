import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "@jest/globals";
import { callsOf, openSqlite, silentLog } from "@hearth/runtime";
import { storedMember, storedServer } from "../../testing/records.ts";
import { sqliteBans } from "./bans.sqlite.ts";
import { sqliteEndings } from "./endings.sqlite.ts";
import { sqliteInvites } from "./invites.sqlite.ts";
import { sqliteMembers } from "./members.sqlite.ts";
import { migrations } from "./migrations.sqlite.ts";
import { sqlitePlugins } from "./plugins.sqlite.ts";
import { sqliteRequests } from "./requests.sqlite.ts";
import { sqliteServers } from "./servers.sqlite.ts";
import { createSteps } from "./steps.sqlite.ts";
import { describeStoreContract } from "../store.contract.ts";
import { createSqliteDiscoveryStore } from "./store.sqlite.ts";

describeStoreContract("SQLite", async () => createSqliteDiscoveryStore({ file: ":memory:", log: silentLog }));

/** Every statement of the store with its query plan. */
function plans(): { sql: string; plan: string }[] {
  const db = openSqlite(":memory:", migrations);
  const statements: string[] = [];
  const calls = callsOf(db);
  const noted = {
    ...calls,
    prepare: (sql: string) => {
      statements.push(sql);
      return calls.prepare(sql);
    },
  };
  const steps = createSteps(noted);
  for (const part of [
    sqliteServers,
    sqliteMembers,
    sqliteBans,
    sqliteInvites,
    sqliteRequests,
    sqlitePlugins,
  ]) {
    part(noted, steps);
  }
  sqliteEndings(noted);
  const explained = statements.map((sql) => {
    const rows = db.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    return { sql, plan: rows.map((row) => String(row["detail"])).join("; ") };
  });
  db.close();
  return explained;
}

describe("the SQLite store", () => {
  it("DI2 reads by an index, sorts nothing and skips nothing, whatever the list", () => {
    // The table of endings is nearly always empty. SQLite treats a list of ids as a table. Only the operator
    // searches by a part of the name.
    const allowed = /SCAN endings|SCAN json_each/;
    const operators = /instr\(/;
    const slow = plans().filter(
      ({ sql, plan }) =>
        (/SCAN|TEMP B-TREE/.test(plan) && !allowed.test(plan) && !operators.test(sql)) || /OFFSET/i.test(sql),
    );
    expect(plans().length).toBeGreaterThan(40);
    expect(slow).toEqual([]);
  });

  it("I1 has everything that was answered after it is opened again", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "discovery-"));
    try {
      const file = path.join(folder, "discovery.db");
      const before = createSqliteDiscoveryStore({ file, log: silentLog });
      const { server, owner } = await storedServer(before, { tags: ["t"] });
      const member = await storedMember(before, owner);
      await before.close();
      const after = createSqliteDiscoveryStore({ file, log: silentLog });
      expect(await after.members.serverAndMember(server.id, member.userId)).toEqual({
        server: { ...server, memberCount: 2 },
        member,
      });
      await after.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
