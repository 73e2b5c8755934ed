import type { StatementSync } from "node:sqlite";
import type { Sqlite } from "./sqlite.ts";
import { storeCall } from "./store-call.ts";
import { transaction } from "./transaction.ts";

/** Wrappers for the methods of a store's port. `run` is synchronous. */
export interface SqliteCalls {
  readonly prepare: (sql: string) => StatementSync;
  readonly query: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
  ) => (...args: Args) => Promise<Result>;
  readonly transaction: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
  ) => (...args: Args) => Promise<Result>;
}

export const callsOf = (db: Sqlite): SqliteCalls => ({
  prepare: (sql) => db.statement(sql),
  query:
    (run) =>
    (...args) =>
      storeCall(db, () => run(...args)),
  transaction:
    <Args extends readonly unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args) =>
      storeCall(db, () => transaction<unknown>(db, () => run(...args)) as Result),
});
