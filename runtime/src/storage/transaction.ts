import type { DatabaseSync } from "node:sqlite";
import type { Sqlite } from "./sqlite.ts";

const isThenable = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

/** Some errors, such as a full disk, end the transaction by themselves. */
const undo = (database: DatabaseSync): void => {
  if (database.isTransaction) database.exec("ROLLBACK");
};

/**
 * Runs `fn` as one transaction that holds the write lock from its start. An error rolls it back. `fn` is synchronous: during
 * an await other code would write into the same transaction.
 */
export function transaction<Result>(
  db: Sqlite,
  fn: () => Result extends PromiseLike<unknown> ? never : Result,
): Result {
  const { database } = db;
  if (database.isTransaction) throw new Error("A transaction is already under way");
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = fn();
    if (isThenable(result)) throw new Error("A transaction must not await");
    database.exec("COMMIT");
    return result;
  } catch (error) {
    undo(database);
    throw error;
  }
}
