import { copyOf, mergedRoom, roomSchema, sortedByName } from "@hearth/device";
import type { DeviceRoom } from "@hearth/device";
import type { DeviceCalls, WriterCalls } from "./database/calls.sqlite.ts";
import type { DeviceReader, DeviceWriter } from "../device-store.ts";
import { positionsWriter } from "./messages/positions-writer.sqlite.ts";
import { removalsOf } from "./database/removals.sqlite.ts";
import { Table } from "./database/table.sqlite.ts";

const ROOMS = new Table<DeviceRoom>("rooms", roomSchema);
const ROOM = `SELECT ${ROOMS.select()} FROM rooms`;

const copyOfRoom = copyOf<DeviceRoom>(roomSchema);

/** Deletes everything of a room, reactions first because they are found by their messages. */
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
  put: prepare(`INSERT OR REPLACE ${ROOMS.into()}`),
  contents: CONTENTS.map((sql) => prepare(sql)),
});

export function roomsWriter(db: WriterCalls): Pick<DeviceWriter, "saveRooms" | "removeRoom"> {
  const sql = prepared(db);
  const positions = positionsWriter(db);
  const removals = removalsOf(db);
  const find = (id: string): DeviceRoom | undefined => {
    const row = sql.find.get(id);
    return row && ROOMS.record(row);
  };
  return {
    saveRooms: db.transaction((rooms) => {
      for (const room of rooms) {
        if (!removals.admit("room", room.joinedAt, room.id)) continue;
        const arriving = copyOfRoom(room);
        const known = find(room.id);
        sql.put.run(ROOMS.row(known ? mergedRoom(arriving, known) : arriving));
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
    rooms: query(() => inOrder(all.all().map((row) => ROOMS.record(row)))),
    room: query((roomId) => {
      const row = find.get(roomId);
      return row && ROOMS.record(row);
    }),
  };
}
