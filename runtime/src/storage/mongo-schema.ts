import { Schema } from "mongoose";
import { z } from "zod";

/** Declarations of fields. `prose` may be empty; the `orNull` kinds store `null` instead of leaving the field out. */
export const mongoFields = {
  text: { type: String, required: true },
  prose: { type: String, default: "" },
  number: { type: Number, required: true },
  flag: { type: Boolean, required: true },
  date: { type: Date, required: true },
  textOrNull: { type: String, default: null },
  numberOrNull: { type: Number, default: null },
  /** Any JSON value. */
  json: { type: Schema.Types.Mixed, default: null },
  list: { type: [Schema.Types.Mixed], default: [] },
} as const;

type MongoField = (typeof mongoFields)[keyof typeof mongoFields];

/** A record as a document. The record's key, if it has one, is the document's `_id`. */
export type MongoDocument<Stored, Key extends string = never> = Omit<Stored, Key> & {
  readonly _id: string;
};

const KINDS: Readonly<Record<string, readonly [field: MongoField, orNull?: MongoField]>> = {
  string: [mongoFields.text, mongoFields.textOrNull],
  enum: [mongoFields.text, mongoFields.textOrNull],
  number: [mongoFields.number, mongoFields.numberOrNull],
  boolean: [mongoFields.flag],
  array: [mongoFields.list],
  record: [mongoFields.json, mongoFields.json],
};

/** The declarations of a record's fields, by the types in its schema. */
export function mongoFieldsOf<Shape extends z.ZodRawShape>(
  record: z.ZodObject<Shape>,
): Record<keyof Shape & string, MongoField> {
  const declared = Object.entries(record.shape).map(([name, type]) => {
    const field = fieldOf(type as z.ZodType);
    if (field === undefined) throw new Error(`MongoDB cannot store the field ${name}`);
    return [name, field];
  });
  return Object.fromEntries(declared) as Record<keyof Shape & string, MongoField>;
}

function fieldOf(type: z.ZodType, orNull = false): MongoField | undefined {
  if (type instanceof z.ZodDefault) return fieldOf(type.unwrap() as z.ZodType, orNull);
  if (type instanceof z.ZodNullable) return fieldOf(type.unwrap() as z.ZodType, true);
  const [field, nullable] = KINDS[type.type] ?? [];
  if (orNull) return nullable;
  return field === mongoFields.text && type.safeParse("").success ? mongoFields.prose : field;
}

/**
 * A collection whose documents have exactly these fields and a text as `_id`. The store that opens it creates the
 * collection and its indexes; mongoose never does so by itself.
 */
export function mongoSchema<Document>(
  collection: string,
  fields: { readonly [Field in Exclude<keyof Document, "_id">]-?: object },
): Schema<Document> {
  const definition: Record<string, unknown> = { ...fields, _id: mongoFields.text };
  return new Schema<Document>(definition, {
    collection,
    versionKey: false,
    strict: "throw",
    minimize: false,
    autoCreate: false,
    autoIndex: false,
  });
}
