import { describe, expect, it } from "@jest/globals";
import { openSqlite, systemClock } from "@hearth/runtime";
import { sqliteDeviceReader, sqliteDeviceWriter } from "../device-store.sqlite.ts";
import { sqliteHistoryReader } from "../history.sqlite.ts";
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
  sqliteHistoryReader(db);
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
      /\b(messages m|positions|message_\w+|reactions|removals|meta)\b/.test(sql),
    );
    expect(ofMessages.length).toBeGreaterThan(40);
    // The reactions of one message are few; the list of all attachments is read in the order of its index, and so are
    // the messages on their way out, which that index has alone; what a statement has made itself, such as the part of a
    // level, is one row; the people of one message are few.
    const allowed =
      /reactions USING PRIMARY KEY|SCAN a USING INDEX attachments_in_order|SCAN m USING INDEX messages_undelivered/;
    const slow = ofMessages.filter(
      ({ plan }) => /SCAN (?!\(|level_|json_each)|TEMP B-TREE/.test(plan) && !allowed.test(plan),
    );
    expect(slow).toEqual([]);
  });
});
