import { callsOf, storeCall } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";

/** Times of change go on growing whoever the owner is. */
const KEPT = "change_time";

/** Empties every table of the store and gives the space back, so that the file holds nothing of what was in it. */
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
