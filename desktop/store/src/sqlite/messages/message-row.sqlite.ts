import { messageSchema } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import { Table } from "../database/table.sqlite.ts";

export const MESSAGES = new Table<DeviceMessage>("messages", messageSchema);

/** Read as arrays: copying the driver's objects costs more than the query. */
export const MESSAGE = MESSAGES.select("m");

export const MESSAGE_JSON = `json_object(${MESSAGES.columns
  .map(({ field, name, isList }) => `'${field}', ${isList ? `json(m.${name})` : `m.${name}`}`)
  .join(", ")})`;

export const messagesOf = (rows: unknown): DeviceMessage[] =>
  (rows as readonly (readonly unknown[])[]).map((row) => MESSAGES.recordOfArray(row));

/**
 * Finds the last message in a JSON array. Quotation marks within JSON strings are escaped, so the start of a message
 * cannot occur in one.
 */
export function lastOf(json: Uint8Array): DeviceMessage | undefined {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = text.lastIndexOf('{"id":');
  return start < 0 ? undefined : (JSON.parse(text.toString("utf8", start, text.length - 1)) as DeviceMessage);
}
