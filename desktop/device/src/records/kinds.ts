import { z } from "zod";

/*
 * The files beside this one describe each record of a device once: its interface, which tsoa reads for the local API's
 * document, and its schema. The stores and the bridge check records with the schema before they write, and columns and
 * copies take their fields from it, in its order. Times are epoch milliseconds, ids are UUIDs unless said otherwise. A
 * field that is not known is `null`, never absent. Schemas of the local API allow further properties, so that a later
 * version may add some (interface 2.8).
 */

/** Makes a text well-formed Unicode: half a surrogate pair becomes U+FFFD. */
const textOf = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((text) => text.toWellFormed());

/** May be empty: one wrong id must not refuse a whole batch. */
export const idSchema = textOf(256);
export const nameSchema = textOf(1_024);
export const textSchema = textOf(65_536);
export const urlSchema = textOf(2_048);
export const pathSchema = textOf(4_096);
export const mimeSchema = textOf(256);
export const hashSchema = textOf(256);
/** Epoch milliseconds. */
export const timeSchema = z.int();
