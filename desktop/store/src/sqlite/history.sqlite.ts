import type { Sqlite } from "@hearth/runtime";
import { deviceCalls } from "./database/calls.sqlite.ts";
import { historyKeeping } from "./history-keeping.sqlite.ts";
import { historyFullMessages } from "./full-messages.sqlite.ts";
import { historyPagesReader } from "./history-pages.sqlite.ts";
import { historySearch } from "./history-search.sqlite.ts";
import type { HistoryReader } from "../history.ts";
import { usageReader } from "./database/usage.sqlite.ts";

export function sqliteHistoryReader(db: Sqlite): HistoryReader {
  const calls = deviceCalls(db);
  return {
    ...historyPagesReader(calls),
    ...historySearch(calls),
    ...historyFullMessages(calls),
    ...historyKeeping(calls),
    ...usageReader(calls),
  };
}
