import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { host, port } from "./address.ts";

/**
 * The least that serving messages can be: `node:sqlite` with a prepared statement for each question, an object for each
 * row, `JSON.stringify`, `node:http`. It asks for no token, counts nothing and looks nothing up; its answers are those
 * of the local API, from the same file, and `offset` is SQLite's own.
 */
const database = new DatabaseSync(process.env["DEVICE_FILE"] ?? "", { readOnly: true });
const message = `SELECT id, room_id AS roomId, channel_id AS channelId, sender_id AS senderId,
  sender_display_name AS senderDisplayName, content, reply_to_id AS replyToId, mentions, timestamp, revision,
  edited_at AS editedAt, deleted_at AS deletedAt, delivery, client_instance_id AS clientInstanceId,
  updated_at AS updatedAt FROM messages WHERE room_id = ?`;
const page = database.prepare(`${message} ORDER BY timestamp, id LIMIT ? OFFSET ?`);
const since = database.prepare(`${message} AND updated_at > ? ORDER BY updated_at, id`);

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://peer");
  const [roomId = "", , change] = pathname.split("/").slice(3);
  const number = (name: string): number => Number(searchParams.get(name));
  const rows =
    change === "since"
      ? since.all(roomId, number("sinceTimestamp"))
      : page.all(roomId, number("limit"), number("offset"));
  for (const row of rows) {
    const mentions: unknown = JSON.parse(String(row["mentions"]));
    Object.assign(row, { mentions });
  }
  const body = Buffer.from(JSON.stringify(rows));
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length }).end(body);
}).listen(port, host);
