import { describe, expect, it } from "@jest/globals";
import { openSqlite, systemClock } from "@hearth/runtime";
import { sqliteDeviceReader, sqliteDeviceWriter } from "../device-store.sqlite.ts";
import { sqliteHistoryReader } from "../history.sqlite.ts";
import { migrations } from "./migrations.sqlite.ts";

/** Every statement of the store with SQLite's query plan. */
function plans(): { sql: string; plan: string }[] {
  const db = openSqlite(":memory:", migrations);
  const statements = new Set<string>();
  const prepare = db.statement.bind(db);
  db.statement = (sql) => {
    statements.add(sql);
    return prepare(sql);
  };
  sqliteDeviceReader(db);
  sqliteHistoryReader(db);
  sqliteDeviceWriter(db, systemClock);
  const explained = [...statements].map((sql) => {
    const rows = db.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    return { sql, plan: rows.map((row) => String(row["detail"])).join("; ") };
  });
  db.close();
  return explained;
}

describe("the device store's statements", () => {
  it("LA2 use an index for messages, and sort none", () => {
    const ofMessages = plans().filter(({ sql }) =>
      /\b(messages m|positions|message_\w+|reactions|removals|meta)\b/.test(sql),
    );
    expect(ofMessages.length).toBeGreaterThan(40);
    // A message has few reactions and mentions. The lists of attachments and of unsent messages have an index of
    // their own. A statement's own rows, such as the part of a level, are few.
    const allowed =
      /reactions USING PRIMARY KEY|SCAN a USING INDEX attachments_in_order|SCAN m USING INDEX messages_undelivered/;
    const slow = ofMessages.filter(
      ({ plan }) => /SCAN (?!\(|level_|json_each)|TEMP B-TREE/.test(plan) && !allowed.test(plan),
    );
    expect(slow).toEqual([]);
  });
});
