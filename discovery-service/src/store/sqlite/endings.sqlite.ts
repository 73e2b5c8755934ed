import type { SqliteCalls } from "@hearth/runtime";
import type { Ending } from "../../domain/records.ts";
import type { EndingStore } from "../../domain/store.ts";

export function sqliteEndings(db: SqliteCalls): EndingStore {
  const list = db.prepare(
    "SELECT id, server_id AS serverId, user_id AS userId, reason FROM endings ORDER BY id",
  );
  const forget = db.prepare("DELETE FROM endings WHERE id = ?");
  return {
    list: db.query(() => list.all() as unknown as Ending[]),
    forget: db.query((id) => void forget.run(id)),
  };
}
