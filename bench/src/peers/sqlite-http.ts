import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { host, port } from "./address.ts";

/**
 * The minimum for serving messages: `node:sqlite` with prepared statements, an object for each row, `JSON.stringify`,
 * `node:http`. It checks no token and counts nothing; its responses equal the local API's, from the same file, with
 * SQLite's own `offset`.
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
