import type { z } from "zod";

/** The columns of a table that keep a record, derived from the record's schema. */
export interface RecordColumns {
  /** For SELECT: `user_id AS userId, …`, each with the prefix of the table's alias, if any. */
  readonly select: (alias?: string) => string;
  /** For INSERT, behind the table's name: `(user_id, …) VALUES (:userId, …)`. */
  readonly insert: string;
  /** For UPDATE: `user_id = :userId, …`. */
  readonly assign: string;
}

const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A column is named like its field, in snake case. */
export function columnsOf(record: z.ZodObject): RecordColumns {
  const columns = Object.keys(record.shape).map((field) => ({ field, column: columnOf(field) }));
  const join = (text: (column: string, field: string) => string): string =>
    columns.map(({ column, field }) => text(column, field)).join(", ");
  return {
    select: (alias) => {
      const prefix = alias === undefined ? "" : `${alias}.`;
      return join((column, field) => `${prefix}${column} AS ${field}`);
    },
    insert: `(${join((column) => column)}) VALUES (${join((_, field) => `:${field}`)})`,
    assign: join((column, field) => `${column} = :${field}`),
  };
}
