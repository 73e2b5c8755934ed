import { Schema } from "mongoose";

/** How fields of documents are declared; `prose` may be empty, what is `orNull` is never missing. */
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

/**
 * A collection whose documents have exactly these fields beside a text as `_id`. Collections and indexes are made by
 * whoever opens the store, never behind its back.
 */
export function mongoSchema<Document>(
  collection: string,
  fields: Readonly<Record<string, unknown>>,
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
