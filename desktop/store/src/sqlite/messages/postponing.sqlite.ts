import { once } from "../database/calls.sqlite.ts";
import type { WriterCalls } from "../database/calls.sqlite.ts";
import type { DeviceWriter, MessagePosition } from "../../device-store.ts";
import { positionsWriter } from "./positions-writer.sqlite.ts";

interface Move {
  readonly roomId: string;
  readonly from: MessagePosition;
  readonly to: MessagePosition;
}

export function messagePostponer(db: WriterCalls): Pick<DeviceWriter, "postponeMessages"> {
  const find = db.prepare(`
    SELECT room_id AS roomId, timestamp, id FROM messages
    WHERE id = ? AND timestamp < ? AND delivery = 'pending' AND deleted_at IS NULL`);
  const postpone = db.prepare(`
    UPDATE messages SET timestamp = :timestamp, updated_at = :updatedAt, touched_at = :updatedAt WHERE id = :id`);
  const positions = positionsWriter(db);
  return {
    postponeMessages: db.transaction((places) => {
      const changeTime = once(db.changeTime);
      const moves: Move[] = [];
      for (const { id, timestamp } of places) {
        const known = find.get(id, timestamp) as (MessagePosition & Pick<Move, "roomId">) | undefined;
        if (!known) continue;
        postpone.run({ id: known.id, timestamp, updatedAt: changeTime() });
        moves.push({ roomId: known.roomId, from: known, to: { timestamp, id: known.id } });
      }
      for (const [roomId, ofRoom] of Map.groupBy(moves, (move) => move.roomId))
        positions.move(roomId, ofRoom);
    }),
  };
}
