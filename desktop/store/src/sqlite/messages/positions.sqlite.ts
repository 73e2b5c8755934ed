import type { SqliteCalls } from "@hearth/runtime";
import type { MessagePosition } from "../../device-store.ts";

/*
 * Where in a room the n-th message is. The order of a room is cut into blocks of neighbouring messages (level 0), these
 * into groups of neighbouring blocks (level 1), these again (level 2), and the room is the one part of the last level.
 * A part knows its first key, how many parts of the level below it has (`children`; of messages, for a block) and how
 * many messages. The n-th message is found by adding up the parts of each level down to a block, and stepping within
 * that. The first part of every level begins in front of every message. All of it is written in the transaction that
 * writes the messages.
 */
export const PART_LEVELS = [0, 1, 2] as const;
export const ROOM_LEVEL = 3;

/** The children of a part at the end of a room; a part is split above twice as many. */
export const BLOCK_SIZE = 256;
export const GROUP_SIZE = 16;

export const START: MessagePosition = { timestamp: Number.MIN_SAFE_INTEGER, id: "" };
export const END: MessagePosition = { timestamp: Number.MAX_SAFE_INTEGER, id: "" };

/** A position in a room: `skip` messages after a key. */
export interface Place extends MessagePosition {
  readonly skip: number;
}

/** The part of a level that contains the n-th message after a key, and the number of messages before it. */
const partAt = (level: number, key: string, skip: string): string => `
  SELECT timestamp, id, ${skip} - before AS skip FROM (
    SELECT timestamp, id, messages,
      sum(messages) OVER (ORDER BY timestamp, id ROWS UNBOUNDED PRECEDING) - messages AS before
    FROM positions WHERE room_id = :roomId AND level = ${level} AND (timestamp, id) >= (${key}))
  WHERE before + messages > ${skip} LIMIT 1`;

/** All levels in one statement; sums are computed only as far as needed. */
const place = PART_LEVELS.toReversed().reduce(
  ({ steps, key, skip }, level) => ({
    steps: [...steps, `level_${level} AS MATERIALIZED (${partAt(level, key, skip)})`],
    key: `SELECT timestamp, id FROM level_${level}`,
    skip: `(SELECT skip FROM level_${level})`,
  }),
  { steps: [] as string[], key: `${START.timestamp}, ''`, skip: ":offset" },
);

const PLACE = `WITH ${place.steps.join(", ")} SELECT timestamp, id, skip FROM level_0`;

export function positionsReader({ prepare }: SqliteCalls) {
  const find = prepare(PLACE);
  return {
    /** The position of a message by its index, from 0. */
    place: (roomId: string, offset: number): Place => {
      if (offset < BLOCK_SIZE) return { ...START, skip: offset };
      return (find.get({ roomId, offset }) as Place | undefined) ?? { ...END, skip: 0 };
    },
  };
}
