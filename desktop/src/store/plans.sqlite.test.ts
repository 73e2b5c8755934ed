import { describe, expect, it } from "@jest/globals";
import { openSqlite, systemClock } from "@hearth/runtime";
import { sqliteDeviceReader, sqliteDeviceWriter } from "./device-store.sqlite.ts";
import { migrations } from "./migrations.sqlite.ts";

/** Every statement of the store, with how SQLite would run it. */
function plans(): { sql: string; plan: string }[] {
  const db = openSqlite(":memory:", migrations);
  const statements = new Set<string>();
  const prepare = db.statement.bind(db);
  db.statement = (sql) => {
    statements.add(sql);
    return prepare(sql);
  };
  sqliteDeviceReader(db);
  sqliteDeviceWriter(db, systemClock);
  const explained = [...statements].map((sql) => {
    const rows = db.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    return { sql, plan: rows.map((row) => String(row["detail"])).join("; ") };
  });
  db.close();
  return explained;
}

describe("the statements of the device store", () => {
  it("LA2 read messages by an index, and sort none", () => {
    const ofMessages = plans().filter(({ sql }) =>
      /\b(messages m|positions|message_\w+|reactions)\b/.test(sql),
    );
    expect(ofMessages.length).toBeGreaterThan(25);
    // The reactions of one message are few; the list of all attachments is read in the order of its index; what a
    // statement has made itself, such as the part of a level, is one row.
    const allowed = /reactions USING PRIMARY KEY|SCAN a USING INDEX attachments_in_order/;
    const slow = ofMessages.filter(
      ({ plan }) => /SCAN (?!\(|level_)|TEMP B-TREE/.test(plan) && !allowed.test(plan),
    );
    expect(slow).toEqual([]);
  });
});
