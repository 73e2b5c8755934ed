import type { Sqlite } from "@hearth/runtime";
import { deviceCalls } from "./database/calls.sqlite.ts";
import { historyKeeping } from "./history-keeping.sqlite.ts";
import { historyLore } from "./history-lore.sqlite.ts";
import { historyPlacesReader } from "./history-places.sqlite.ts";
import { historySearch } from "./history-search.sqlite.ts";
import type { HistoryReader } from "../history.ts";
import { usageReader } from "./database/usage.sqlite.ts";

export function sqliteHistoryReader(db: Sqlite): HistoryReader {
  const calls = deviceCalls(db);
  return {
    ...historyPlacesReader(calls),
    ...historySearch(calls),
    ...historyLore(calls),
    ...historyKeeping(calls),
    ...usageReader(calls),
  };
}
