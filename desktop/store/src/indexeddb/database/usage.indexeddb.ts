import type { HistoryReader } from "../../history.ts";
import type { StoreCalls } from "./calls.indexeddb.ts";
import { sizeOfMessage } from "../message-size.ts";

const STRIDE = 1_000;

/**
 * Sums up the records, because the browser's estimate lags behind removals. Each step is a call of its own, so that
 * other calls are not blocked.
 */
export function usageReader({ read }: StoreCalls): Pick<HistoryReader, "usage"> {
  const stride = read(["messages"], (transaction, after: string) =>
    transaction.objectStore("messages").getAll(IDBKeyRange.lowerBound(after, after !== ""), STRIDE),
  );
  return {
    async usage() {
      let [messages, bytes, last] = [0, 0, ""];
      for (;;) {
        const rows = await stride(last);
        messages += rows.length;
        for (const row of rows) bytes += sizeOfMessage(row);
        const final = rows.at(-1);
        if (final === undefined || rows.length < STRIDE) return { messages, bytes };
        last = final.id;
      }
    },
  };
}
