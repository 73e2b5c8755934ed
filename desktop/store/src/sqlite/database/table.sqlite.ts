import { fieldsOf } from "@hearth/device";
import { z } from "zod";
import { storedList } from "../../stored-json.ts";

type SqlValue = string | number | Uint8Array | null;

/** How a field is kept: lists as JSON text, booleans as 0 and 1, everything else as it is. */
interface Column {
  readonly field: string;
  /** The field's name in snake case. */
  readonly name: string;
  readonly isList: boolean;
  readonly isFlag: boolean;
}

const EMPTY_LIST: readonly unknown[] = Object.freeze([]);

function written({ isList, isFlag }: Column, value: unknown): SqlValue {
  if (isList) return storedList(value as readonly unknown[]);
  return isFlag ? Number(value) : (value as SqlValue);
}

function read({ isList, isFlag }: Column, value: unknown): unknown {
  if (isList) return value === "[]" ? EMPTY_LIST : (JSON.parse(value as string) as unknown);
  return isFlag ? value === 1 : value;
}

const columnsOf = (schema: z.ZodObject): readonly Column[] =>
  fieldsOf(schema).map((field) => ({
    field,
    name: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    isList: schema.shape[field] instanceof z.ZodArray,
    isFlag: schema.shape[field] instanceof z.ZodBoolean,
  }));

/**
 * A table with a column for each field of a schema. Statements name their columns by it, and rows become records by it;
 * the migrations that made the table stay as they were written.
 */
export class Table<Kept extends object> {
  readonly columns: readonly Column[];
  readonly #name: string;

  constructor(name: string, schema: z.ZodObject & z.ZodType<Kept>) {
    this.#name = name;
    this.columns = columnsOf(schema);
  }

  /** The columns of a `SELECT`, each under the name of its field; `computed` replaces some by expressions. */
  select(alias = this.#name, computed: Partial<Record<keyof Kept, string>> = {}): string {
    const expressions: Readonly<Record<string, string | undefined>> = computed;
    return this.columns
      .map(({ field, name }) => `${expressions[field] ?? `${alias}.${name}`} AS ${field}`)
      .join(", ");
  }

  /** The end of an `INSERT`, from `INTO`; `more` adds columns with their values. */
  into(more: Readonly<Record<string, string>> = {}): string {
    const names = [...this.columns.map(({ name }) => name), ...Object.keys(more)];
    const values = [...this.columns.map(({ field }) => `:${field}`), ...Object.values(more)];
    return `INTO ${this.#name} (${names.join(", ")}) VALUES (${values.join(", ")})`;
  }

  /** The parameters that {@link into} names. */
  row(record: Kept): Record<string, SqlValue> {
    const fields = record as Readonly<Record<string, unknown>>;
    const row: Record<string, SqlValue> = {};
    for (const column of this.columns) row[column.field] = written(column, fields[column.field]);
    return row;
  }

  /** The record of a row that {@link select} read. */
  record(row: object): Kept {
    const values = row as Readonly<Record<string, unknown>>;
    const record: Record<string, unknown> = {};
    for (const column of this.columns) record[column.field] = read(column, values[column.field]);
    return record as Kept;
  }

  /** The record of a row that was read as an array. */
  recordOfArray(values: readonly unknown[]): Kept {
    const record: Record<string, unknown> = {};
    let index = 0;
    for (const column of this.columns) {
      record[column.field] = read(column, values[index]);
      index += 1;
    }
    return record as Kept;
  }
}
