import type { z } from "zod";
import { ClientProblem } from "@hearth/device";
import type { LazyDatabase } from "./database.indexeddb.ts";
import { asProblem } from "./failures.indexeddb.ts";
import type { Database, ReadTransaction, StoreName, WriteTransaction } from "./schema.indexeddb.ts";

type Call<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

/** Runs calls on the database. Each call is one transaction: it succeeds as a whole, or rejects without effect. */
export interface StoreCalls {
  readonly now: () => number;
  readonly read: <Names extends StoreName, Args extends readonly unknown[], Result>(
    stores: readonly Names[],
    work: (transaction: ReadTransaction<Names>, ...args: Args) => Promise<Result>,
  ) => Call<Args, Result>;
  /** Unknown fields of the arguments are dropped; malformed ones are `INVALID_REQUEST`. */
  readonly write: <Names extends StoreName, Args extends readonly unknown[]>(
    stores: readonly Names[],
    schema: z.ZodType<Args>,
    work: (transaction: WriteTransaction<Names>, ...args: Args) => Promise<void>,
  ) => Call<readonly unknown[], void>;
}

export interface CallOptions {
  readonly database: LazyDatabase;
  readonly now: () => number;
}

function accepted<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const { success, data, error } = schema.safeParse(args);
  if (success) return data;
  const issues = error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new ClientProblem("INVALID_REQUEST", {
    message: "A record does not have the fields it needs",
    issues,
  });
}

/** Lone surrogates in arguments are replaced as in stored text. */
const askedFor = <Args extends readonly unknown[]>(args: Args): Args =>
  args.map((arg) => (typeof arg === "string" ? arg.toWellFormed() : arg)) as unknown as Args;

interface Transaction {
  readonly done: Promise<void>;
  readonly error: DOMException | null;
  abort(): void;
}

/** Aborts the transaction unless it has ended already; returns why. */
async function rolledBack(transaction: Transaction, error: unknown): Promise<unknown> {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
  await transaction.done.catch(() => undefined);
  return transaction.error ?? error;
}

async function settled<Result>(transaction: Transaction, work: Promise<Result>): Promise<Result> {
  // Handled below; this prevents an unhandled rejection.
  transaction.done.catch(() => undefined);
  try {
    const result = await work;
    await transaction.done;
    return result;
  } catch (error) {
    throw await rolledBack(transaction, error);
  }
}

/** Uses the open connection, or a new one if it was just closed. */
async function begun<Begun>(database: LazyDatabase, begin: (open: Database) => Begun): Promise<Begun> {
  const open = await database.current();
  try {
    return begin(open);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "InvalidStateError") throw error;
    database.leave(open);
    return begin(await database.current());
  }
}

export function storeCalls({ database, now }: CallOptions): StoreCalls {
  const inOurWords = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      throw asProblem(error);
    }
  };
  return {
    now,
    read:
      (stores, work) =>
      (...args) =>
        inOurWords(async () => {
          const transaction = await begun(database, (open) => open.transaction([...stores], "readonly"));
          return settled(transaction, work(transaction, ...askedFor(args)));
        }),
    write:
      (stores, schema, work) =>
      (...args) =>
        inOurWords(async () => {
          const records = accepted(schema, args);
          const transaction = await begun(database, (open) => open.transaction([...stores], "readwrite"));
          await settled(transaction, work(transaction, ...records));
        }),
  };
}
