import { ProblemError } from "@hearth/contracts";
import { errorCode } from "../errors/error-code.ts";
import type { Sqlite } from "./sqlite.ts";

/** Primary result codes of SQLite for trouble that may pass: no space, a lock. */
const AWAY = new Map([
  [5, "BUSY"],
  [6, "LOCKED"],
  [8, "READONLY"],
  [10, "IOERR"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [14, "CANTOPEN"],
  [26, "NOTADB"],
]);
const UNIQUE = new Set([1555, 2067, 2579]);

function resultCode(error: unknown): number | undefined {
  if (errorCode(error) !== "ERR_SQLITE_ERROR") return undefined;
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode : undefined;
}

/** True for the error of a write that would have made a second row with the same unique or primary key. */
export const isUniqueViolation = (error: unknown): boolean => UNIQUE.has(resultCode(error) ?? 0);

/** True for the rejection of `storeCall` when the disk or the file's own limit has no room for a write. */
export const isStoreFull = (error: unknown): boolean =>
  error instanceof ProblemError && ((resultCode(error.cause) ?? 0) & 0xff) === 13;

/**
 * A call of a store that keeps the promise of its port: it is asynchronous and rejects with `UNAVAILABLE` while the database
 * cannot serve (rule ER6). Other errors pass through.
 */
export async function storeCall<Result>(db: Sqlite, fn: () => Result): Promise<Result> {
  try {
    if (!db.database.isOpen) throw new ProblemError("UNAVAILABLE", "The store is closed");
    return fn();
  } catch (error) {
    const reason = AWAY.get((resultCode(error) ?? 0) & 0xff);
    if (reason === undefined) throw error;
    db.log.error({ err: error, reason }, "the database cannot serve");
    throw Object.assign(new ProblemError("UNAVAILABLE"), { cause: error });
  }
}
