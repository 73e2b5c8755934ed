import type { SqliteCalls } from "@hearth/runtime";
import type { MessagePosition } from "../../device-store.ts";
import { BLOCK_SIZE, GROUP_SIZE, PART_LEVELS, ROOM_LEVEL, START } from "./positions.sqlite.ts";

/** The levels of the tree, and what their parts consist of. */
interface Level {
  readonly number: number;
  readonly size: number;
  /** The key of the child at a distance from a key. */
  readonly childBehind: (
    roomId: string,
    key: MessagePosition,
    children: number,
  ) => MessagePosition | undefined;
  /** The number of messages in some children from a key on. */
  readonly messagesIn: (roomId: string, key: MessagePosition, children: number) => number;
}

interface Part extends MessagePosition {
  readonly children: number;
  readonly messages: number;
}

/** A part that grows or shrinks in a transaction. Empty parts stay. */
interface Growth {
  readonly part: Part;
  children: number;
  messages: number;
}

const FROM_KEY = "(timestamp, id) >= (?, ?) ORDER BY timestamp, id";

const prepared = ({ prepare }: SqliteCalls) => ({
  partOf: prepare(`
    SELECT timestamp, id, children, messages FROM positions
    WHERE room_id = ? AND level = ? AND (timestamp, id) <= (?, ?) ORDER BY timestamp DESC, id DESC LIMIT 1`),
  behind: prepare(`
    SELECT timestamp, id FROM positions
    WHERE room_id = ? AND level = ? AND (timestamp, id) > (?, ?) ORDER BY timestamp, id LIMIT 1`),
  messageBehind: prepare(
    `SELECT timestamp, id FROM messages WHERE room_id = ? AND ${FROM_KEY} LIMIT 1 OFFSET ?`,
  ),
  partBehind: prepare(
    `SELECT timestamp, id FROM positions WHERE room_id = ? AND level = ? AND ${FROM_KEY} LIMIT 1 OFFSET ?`,
  ),
  messagesIn: prepare(`
    SELECT sum(messages) AS messages FROM (
      SELECT messages FROM positions WHERE room_id = ? AND level = ? AND ${FROM_KEY} LIMIT ?)`),
  put: prepare("INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?)"),
  forget: prepare("DELETE FROM positions WHERE room_id = ?"),
});

type Statements = ReturnType<typeof prepared>;

const blocks = (sql: Statements, size: number): Level => ({
  number: 0,
  size,
  childBehind: (roomId, { timestamp, id }, children) =>
    sql.messageBehind.get(roomId, timestamp, id, children) as MessagePosition | undefined,
  messagesIn: (_roomId, _key, children) => children,
});

const groups = (sql: Statements, size: number, number: number): Level => ({
  number,
  size,
  childBehind: (roomId, { timestamp, id }, children) =>
    sql.partBehind.get(roomId, number - 1, timestamp, id, children) as MessagePosition | undefined,
  messagesIn: (roomId, { timestamp, id }, children) =>
    Number(sql.messagesIn.get(roomId, number - 1, timestamp, id, children)?.["messages"]),
});

/** Children per part; tests use small values. */
export interface PartSizes {
  readonly block: number;
  readonly group: number;
}

const SIZES: PartSizes = { block: BLOCK_SIZE, group: GROUP_SIZE };

const levelsOf = (sql: Statements, { block, group }: PartSizes): readonly Level[] =>
  PART_LEVELS.map((number) => (number === 0 ? blocks(sql, block) : groups(sql, group, number)));

/** Maintains the positions of one room while a transaction adds, moves or removes messages. */
class RoomPositions {
  readonly #sql: Statements;
  readonly #roomId: string;

  constructor(sql: Statements, roomId: string) {
    this.#sql = sql;
    this.#roomId = roomId;
  }

  /** Keys that were inserted, and keys that were removed. */
  change(
    added: readonly MessagePosition[],
    gone: readonly MessagePosition[],
    levels: readonly Level[],
  ): void {
    let growing = this.#growingBlocks(added);
    for (const key of gone) {
      const block = this.#growthOf(growing, 0, key);
      block.children -= 1;
      block.messages -= 1;
    }
    for (const level of levels) {
      const above = new Map<string, Growth>();
      for (const growth of growing.values()) {
        const pieces = this.#write(level, growth);
        const parent = this.#growthOf(above, level.number + 1, growth.part);
        parent.children += pieces - 1;
        parent.messages += growth.messages;
      }
      growing = above;
    }
    for (const { part, children, messages } of growing.values()) {
      this.#put(ROOM_LEVEL, part, part.children + children, part.messages + messages);
    }
  }

  #growingBlocks(keys: readonly MessagePosition[]): Map<string, Growth> {
    const growing = new Map<string, Growth>();
    let current: { readonly from: number; readonly to: number; readonly block: Growth } | undefined;
    for (const key of keys) {
      // Neighbours mostly share a block; only those at its edges need a lookup.
      if (!current || key.timestamp <= current.from || key.timestamp >= current.to) {
        const block = this.#growthOf(growing, 0, key);
        const { timestamp, id } = block.part;
        const next = this.#sql.behind.get(this.#roomId, 0, timestamp, id);
        current = { from: timestamp, to: Number(next?.["timestamp"] ?? Infinity), block };
      }
      current.block.children += 1;
      current.block.messages += 1;
    }
    return growing;
  }

  #growthOf(growing: Map<string, Growth>, level: number, key: MessagePosition): Growth {
    // A room's first block has no messages yet; a first group has that block.
    const part = this.#partOf(level, key) ?? { ...START, children: level === 0 ? 0 : 1, messages: 0 };
    const name = `${part.timestamp} ${part.id}`;
    const growth = growing.get(name) ?? { part, children: 0, messages: 0 };
    growing.set(name, growth);
    return growth;
  }

  /** Writes a grown part, split if it is too large; returns the number of pieces. */
  #write(level: Level, { part, ...growth }: Growth): number {
    let children = part.children + growth.children;
    let messages = part.messages + growth.messages;
    let key: MessagePosition = part;
    let pieces = 1;
    const size = children > level.size * 2 ? this.#pieceSize(level, part, children) : children;
    while (children > size) {
      const inPiece = level.messagesIn(this.#roomId, key, size);
      const next = level.childBehind(this.#roomId, key, size);
      if (!next) throw new Error("The positions of a room do not fit its messages");
      this.#put(level.number, key, size, inPiece);
      key = next;
      children -= size;
      messages -= inPiece;
      pieces += 1;
    }
    this.#put(level.number, key, children, messages);
    return pieces;
  }

  /** The last part of a level is split into full pieces, because a room mostly grows at its end; others evenly. */
  #pieceSize({ number, size }: Level, { timestamp, id }: Part, children: number): number {
    const isLast = !this.#sql.behind.get(this.#roomId, number, timestamp, id);
    return isLast ? size : Math.ceil(children / Math.ceil(children / size));
  }

  #partOf(level: number, { timestamp, id }: MessagePosition): Part | undefined {
    return this.#sql.partOf.get(this.#roomId, level, timestamp, id) as Part | undefined;
  }

  #put(level: number, { timestamp, id }: MessagePosition, children: number, messages: number): void {
    this.#sql.put.run(this.#roomId, level, timestamp, id, children, messages);
  }
}

export function positionsWriter(db: SqliteCalls, sizes: PartSizes = SIZES) {
  const sql = prepared(db);
  const levels = levelsOf(sql, sizes);
  return {
    /** Call it in the transaction that inserted these messages. */
    add: (roomId: string, keys: readonly MessagePosition[]): void => {
      if (keys.length > 0) new RoomPositions(sql, roomId).change(keys, [], levels);
    },
    /** Call it in the transaction that moved these messages. */
    move: (
      roomId: string,
      moves: readonly { readonly from: MessagePosition; readonly to: MessagePosition }[],
    ): void =>
      new RoomPositions(sql, roomId).change(
        moves.map(({ to }) => to),
        moves.map(({ from }) => from),
        levels,
      ),
    /** Call it in the transaction that deleted these messages. */
    remove: (roomId: string, keys: readonly MessagePosition[]): void => {
      if (keys.length > 0) new RoomPositions(sql, roomId).change([], keys, levels);
    },
    forgetRoom: (roomId: string): void => void sql.forget.run(roomId),
  };
}
