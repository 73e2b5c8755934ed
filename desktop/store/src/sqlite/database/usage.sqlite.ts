import type { DeviceCalls } from "./calls.sqlite.ts";
import type { HistoryReader } from "../../history.ts";

/** The size of the file without free pages, which are reused first. */
export function usageReader({ prepare, query }: DeviceCalls): Pick<HistoryReader, "usage"> {
  const usage = prepare(`
    SELECT (SELECT count(*) FROM messages) AS messages, (page_count - freelist_count) * page_size AS bytes
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size`);
  return {
    usage: query(() => {
      const row = usage.get();
      return { messages: Number(row?.["messages"]), bytes: Number(row?.["bytes"]) };
    }),
  };
}
