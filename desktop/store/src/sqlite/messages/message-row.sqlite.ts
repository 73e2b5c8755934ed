import { messageSchema } from "@hearth/device";
import type { DeviceMessage } from "@hearth/device";
import { Table } from "../database/table.sqlite.ts";

export const MESSAGES = new Table<DeviceMessage>("messages", messageSchema);

/** To be read as arrays: making objects of the driver's objects costs more than the query. */
export const MESSAGE = MESSAGES.select("m");

export const MESSAGE_JSON = `json_object(${MESSAGES.columns
  .map(({ field, name, isList }) => `'${field}', ${isList ? `json(m.${name})` : `m.${name}`}`)
  .join(", ")})`;

export const messagesOf = (rows: unknown): DeviceMessage[] =>
  (rows as readonly (readonly unknown[])[]).map((row) => MESSAGES.recordOfArray(row));

/**
 * The last message of a JSON array of messages. In JSON text a quotation mark within a string stands behind a
 * backslash, so that the start of a message is found nowhere else.
 */
export function lastOf(json: Uint8Array): DeviceMessage | undefined {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = text.lastIndexOf('{"id":');
  return start < 0 ? undefined : (JSON.parse(text.toString("utf8", start, text.length - 1)) as DeviceMessage);
}
