import { storeCall, transaction } from "@hearth/runtime";
import type { Sqlite } from "@hearth/runtime";

/** The two ways in which a method of the store's port reaches the database; `run` is synchronous. */
export interface Calls {
  readonly query: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
  ) => (...args: Args) => Promise<Result>;
  readonly transaction: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
  ) => (...args: Args) => Promise<Result>;
}

export const callsOf = (db: Sqlite): Calls => ({
  query:
    (run) =>
    (...args) =>
      storeCall(db, () => run(...args)),
  transaction:
    <Args extends readonly unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args) =>
      storeCall(db, () => transaction<unknown>(db, () => run(...args)) as Result),
});
