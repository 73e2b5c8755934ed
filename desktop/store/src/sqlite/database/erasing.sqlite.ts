import { callsOf, storeCall } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";

/** Times of change keep increasing under a new owner. */
const KEPT = "change_time";

/** Empties every table and shrinks the file, so that nothing of the old content remains. */
export function sqliteEraser(db: Sqlite): () => Promise<void> {
  const { transaction, prepare } = callsOf(db);
  const tables = prepare(`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND name <> ?`);
  const empty = transaction(() => {
    for (const { name } of tables.all(KEPT)) db.database.exec(`DELETE FROM "${String(name)}"`);
  });
  return async () => {
    await empty();
    await storeCall(db, () => {
      db.database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    });
  };
}
