import type { z } from "zod";

/** The fields of a record, from a value that may have more. Checks nothing. */
export function pickFields<Shape extends z.ZodObject>(
  record: Shape,
  value: Readonly<z.output<Shape>>,
): z.output<Shape> {
  const from: Readonly<Record<string, unknown>> = value;
  return Object.fromEntries(
    Object.keys(record.shape).map((field) => [field, from[field]]),
  ) as z.output<Shape>;
}
