import { looksSecret } from "@hearth/device";
import type { Sqlite } from "@hearth/runtime";
import { deviceCalls } from "./database/calls.sqlite.ts";
import type { DeviceCalls } from "./database/calls.sqlite.ts";
import { historyFullMessages } from "./full-messages.sqlite.ts";
import { historyPagesReader } from "./history-pages.sqlite.ts";
import { historySearch } from "./history-search.sqlite.ts";
import type { HistoryReader, Removal } from "../history.ts";
import { usageReader } from "./database/usage.sqlite.ts";

function historyKeeping({ prepare, query }: DeviceCalls): Pick<HistoryReader, "removals" | "metaEntries"> {
  const removals = prepare(`
    SELECT kind, id, removed_at AS at FROM removals WHERE kind IN ('room', 'friend', 'emoji') ORDER BY kind, id`);
  const metaFrom = prepare("SELECT key, value FROM meta WHERE key >= ? ORDER BY key");
  return {
    removals: query(() => removals.all().map((row) => ({ ...row })) as unknown as Removal[]),
    metaEntries: query((prefix) => {
      const start = prefix.toWellFormed();
      const entries: { key: string; value: string }[] = [];
      for (const row of metaFrom.iterate(start)) {
        const { key, value } = row as { key: string; value: string };
        if (!key.startsWith(start)) break;
        if (!looksSecret(key)) entries.push({ key, value });
      }
      return entries;
    }),
  };
}

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
