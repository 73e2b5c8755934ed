import type { z } from "zod";

/** The names of a record's fields, in the order of its schema. */
export const fieldsOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  Object.keys(shape) as readonly (keyof Shape & string)[];

/**
 * Copies the fields of a schema and leaves out all others; it checks nothing. A field that is missing becomes `null`, as
 * in a record from before the field existed.
 */
export function copyOf<Kept extends object>(schema: z.ZodObject & z.ZodType<Kept>): (record: Kept) => Kept {
  const fields = fieldsOf(schema) as readonly (keyof Kept)[];
  return (record) => {
    const copy: Partial<Record<keyof Kept, unknown>> = {};
    for (const field of fields) copy[field] = record[field] ?? null;
    return copy as Kept;
  };
}
