import { sortedByName } from "@hearth/device";
import { mergedRoom } from "@hearth/device";
import type { DeviceChannel, DeviceRoom } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { positionsWriter } from "./messages/positions-writer.sqlite.ts";
import { removalsOf } from "./database/removals.sqlite.ts";
import { storedList } from "../stored-json.ts";

const ROOM = `SELECT id, kind, name, description, signal_server_url AS signalServerUrl, actor_user_id AS actorUserId,
  icon_hash AS iconHash, tags, visibility, owner_id AS ownerId, peer_user_id AS peerUserId, role, channels, muted,
  last_read_message_id AS lastReadMessageId, last_read_at AS lastReadAt, created_at AS createdAt,
  joined_at AS joinedAt, updated_at AS updatedAt FROM rooms`;

type RoomRow = Omit<DeviceRoom, "tags" | "channels" | "muted"> & {
  readonly tags: string;
  readonly channels: string;
  readonly muted: number;
};

const roomOf = (row: RoomRow): DeviceRoom => ({
  ...row,
  tags: JSON.parse(row.tags) as string[],
  channels: JSON.parse(row.channels) as DeviceChannel[],
  muted: row.muted === 1,
});

/** The fields that the device knows, in their order; whatever else an object carries is not kept. */
const fieldsOf = (room: DeviceRoom): DeviceRoom => ({
  id: room.id,
  kind: room.kind,
  name: room.name,
  description: room.description,
  signalServerUrl: room.signalServerUrl,
  actorUserId: room.actorUserId,
  iconHash: room.iconHash,
  tags: room.tags,
  visibility: room.visibility,
  ownerId: room.ownerId,
  peerUserId: room.peerUserId,
  role: room.role,
  channels: room.channels,
  muted: room.muted,
  lastReadMessageId: room.lastReadMessageId,
  lastReadAt: room.lastReadAt,
  createdAt: room.createdAt,
  joinedAt: room.joinedAt,
  updatedAt: room.updatedAt,
});

/** Everything that belongs to a room, reactions first as they are found by their messages. */
const CONTENTS = [
  "DELETE FROM reactions WHERE message_id IN (SELECT id FROM messages WHERE room_id = ?)",
  "DELETE FROM attachments WHERE room_id = ?",
  "DELETE FROM message_edits WHERE room_id = ?",
  "DELETE FROM message_removals WHERE room_id = ?",
  "DELETE FROM messages WHERE room_id = ?",
  "DELETE FROM bans WHERE room_id = ?",
  "DELETE FROM room_users WHERE room_id = ?",
  "DELETE FROM plugin_data WHERE scope = 'server' AND server_id = ?",
  "DELETE FROM rooms WHERE id = ?",
] as const;

const prepared = ({ prepare }: WriterCalls) => ({
  find: prepare(`${ROOM} WHERE id = ?`),
  put: prepare(`
    INSERT OR REPLACE INTO rooms (id, kind, name, description, signal_server_url, actor_user_id, icon_hash, tags,
      visibility, owner_id, peer_user_id, role, channels, muted, last_read_message_id, last_read_at, created_at,
      joined_at, updated_at)
    VALUES (:id, :kind, :name, :description, :signalServerUrl, :actorUserId, :iconHash, :tags, :visibility, :ownerId,
      :peerUserId, :role, :channels, :muted, :lastReadMessageId, :lastReadAt, :createdAt, :joinedAt, :updatedAt)`),
  contents: CONTENTS.map((sql) => prepare(sql)),
});

export function roomsWriter(db: WriterCalls): Pick<DeviceWriter, "saveRooms" | "removeRoom"> {
  const sql = prepared(db);
  const positions = positionsWriter(db);
  const removals = removalsOf(db);
  const find = (id: string): DeviceRoom | undefined => {
    const row = sql.find.get(id) as RoomRow | undefined;
    return row && roomOf(row);
  };
  return {
    saveRooms: db.transaction((rooms) => {
      for (const room of rooms) {
        if (!removals.admit("room", room.joinedAt, room.id)) continue;
        const arriving = fieldsOf(room);
        const known = find(room.id);
        const { tags, channels, muted, ...plain } = known ? mergedRoom(arriving, known) : arriving;
        const lists = { tags: storedList(tags), channels: storedList(channels) };
        sql.put.run({ ...plain, ...lists, muted: Number(muted) });
      }
    }),
    removeRoom: db.transaction((roomId, at) => {
      if (!removals.end("room", find(roomId)?.joinedAt, at, roomId)) return;
      for (const statement of sql.contents) statement.run(roomId);
      positions.forgetRoom(roomId);
    }),
  };
}

export function roomsReader({ prepare, query }: DeviceCalls): Pick<DeviceReader, "rooms" | "room"> {
  const all = prepare(ROOM);
  const find = prepare(`${ROOM} WHERE id = ?`);
  const inOrder = (rooms: readonly DeviceRoom[]): readonly DeviceRoom[] =>
    sortedByName(
      rooms,
      ({ name }) => name,
      ({ id }) => id,
    );
  return {
    rooms: query(() => inOrder((all.all() as unknown as RoomRow[]).map(roomOf))),
    room: query((roomId) => {
      const row = find.get(roomId) as RoomRow | undefined;
      return row && roomOf(row);
    }),
  };
}
