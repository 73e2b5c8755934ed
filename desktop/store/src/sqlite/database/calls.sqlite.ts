import { callsOf, storeCall } from "@hearth/runtime";
import type { Clock, Sqlite, SqliteCalls } from "@hearth/runtime";
import { nextChangeTime } from "@hearth/device";

/** Runs calls on the database. */
export interface DeviceCalls extends SqliteCalls {
  /** A call of several statements that see one snapshot of the database. */
  readonly snapshot: <Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
  ) => (...args: Args) => Promise<Result>;
}

/** What writers need besides the database. */
export interface WriterCalls extends DeviceCalls {
  readonly clock: Clock;
  /** The time of change of the running transaction; all its records share it. */
  readonly changeTime: () => number;
}

export function deviceCalls(db: Sqlite): DeviceCalls {
  const { database } = db;
  const begin = db.statement("BEGIN");
  const end = db.statement("COMMIT");
  return {
    ...callsOf(db),
    snapshot:
      (run) =>
      (...args) =>
        storeCall(db, () => {
          begin.run();
          try {
            return run(...args);
          } finally {
            if (database.isTransaction) end.run();
          }
        }),
  };
}

export function writerCalls(db: Sqlite, clock: Clock): WriterCalls {
  const calls = deviceCalls(db);
  const last = calls.prepare("SELECT last FROM change_time");
  const advance = calls.prepare("UPDATE change_time SET last = ?");
  return {
    ...calls,
    clock,
    changeTime: () => {
      const time = nextChangeTime(Number(last.get()?.["last"]), clock.now());
      advance.run(time);
      return time;
    },
  };
}

/** Computed once, on demand. */
export function once<Value>(ask: () => Value): () => Value {
  let answer: { readonly value: Value } | undefined;
  return () => (answer ??= { value: ask() }).value;
}
