import type { DeviceMessage } from "@hearth/device";

/** The columns of a message in the order of its fields, the same for both ways to read it. */
const COLUMNS = {
  id: "m.id",
  roomId: "m.room_id",
  channelId: "m.channel_id",
  senderId: "m.sender_id",
  senderDisplayName: "m.sender_display_name",
  content: "m.content",
  replyToId: "m.reply_to_id",
  mentions: "m.mentions",
  timestamp: "m.timestamp",
  revision: "m.revision",
  editedAt: "m.edited_at",
  deletedAt: "m.deleted_at",
  delivery: "m.delivery",
  clientInstanceId: "m.client_instance_id",
  updatedAt: "m.updated_at",
} as const satisfies Record<keyof DeviceMessage, string>;

/** To be read as arrays: making objects of the driver's objects costs more than the query. */
export const MESSAGE = Object.values(COLUMNS).join(", ");

export const MESSAGE_JSON = `json_object(${Object.entries(COLUMNS)
  .map(([field, column]) => `'${field}', ${field === "mentions" ? `json(${column})` : column}`)
  .join(", ")})`;

type Row = readonly [
  id: string,
  roomId: string,
  channelId: string | null,
  senderId: string,
  senderDisplayName: string,
  content: string,
  replyToId: string | null,
  mentions: string,
  timestamp: number,
  revision: number,
  editedAt: number | null,
  deletedAt: number | null,
  delivery: DeviceMessage["delivery"],
  clientInstanceId: string | null,
  updatedAt: number,
];

const NOBODY: readonly string[] = Object.freeze([]);

const messageOf = (row: Row): DeviceMessage => ({
  id: row[0],
  roomId: row[1],
  channelId: row[2],
  senderId: row[3],
  senderDisplayName: row[4],
  content: row[5],
  replyToId: row[6],
  mentions: row[7] === "[]" ? NOBODY : (JSON.parse(row[7]) as string[]),
  timestamp: row[8],
  revision: row[9],
  editedAt: row[10],
  deletedAt: row[11],
  delivery: row[12],
  clientInstanceId: row[13],
  updatedAt: row[14],
});

export const messagesOf = (rows: unknown): DeviceMessage[] => (rows as readonly Row[]).map(messageOf);

/**
 * The last message of a JSON array of messages. In JSON text a quotation mark within a string stands behind a
 * backslash, so that the start of a message is found nowhere else.
 */
export function lastOf(json: Uint8Array): DeviceMessage | undefined {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = text.lastIndexOf('{"id":');
  return start < 0 ? undefined : (JSON.parse(text.toString("utf8", start, text.length - 1)) as DeviceMessage);
}
