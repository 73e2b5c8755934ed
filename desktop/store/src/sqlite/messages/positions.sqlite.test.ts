import { describe, expect, it } from "@jest/globals";
import { callsOf, openSqlite } from "@hearth/runtime";
import { seededRandom } from "../../contract/device-records.contract.ts";
import type { MessagePosition } from "../../device-store.ts";
import { migrations } from "../database/migrations.sqlite.ts";
import type { PartSizes } from "./positions-writer.sqlite.ts";
import { positionsWriter } from "./positions-writer.sqlite.ts";
import { BLOCK_SIZE, GROUP_SIZE, ROOM_LEVEL, positionsReader } from "./positions.sqlite.ts";

interface Part extends MessagePosition {
  readonly children: number;
  readonly messages: number;
}

/** A room of bare keys, maintained like in the store. */
class Room {
  readonly db = openSqlite(":memory:", migrations);
  readonly #insert = this.db.statement(`
    INSERT INTO messages VALUES (?, ?, NULL, '', '', '', NULL, '[]', ?, 0, NULL, NULL, 'sent', NULL, 0, NULL, 0)`);
  readonly #writer: ReturnType<typeof positionsWriter>;

  constructor(sizes: PartSizes) {
    this.#writer = positionsWriter(callsOf(this.db), sizes);
  }

  add(roomId: string, keys: readonly MessagePosition[]): void {
    for (const { id, timestamp } of keys) this.#insert.run(id, roomId, timestamp);
    this.#writer.add(roomId, keys);
  }

  move(roomId: string, moves: readonly { from: MessagePosition; to: MessagePosition }[]): void {
    const move = this.db.statement("UPDATE messages SET timestamp = ? WHERE id = ?");
    for (const { to } of moves) move.run(to.timestamp, to.id);
    this.#writer.move(roomId, moves);
  }

  forget(roomId: string): void {
    this.db.statement("DELETE FROM messages WHERE room_id = ?").run(roomId);
    this.#writer.forgetRoom(roomId);
  }

  keys(roomId: string): MessagePosition[] {
    const sql = "SELECT timestamp, id FROM messages WHERE room_id = ? ORDER BY timestamp, id";
    return this.db.statement(sql).all(roomId) as unknown as MessagePosition[];
  }

  parts(roomId: string, level: number): Part[] {
    const sql = `SELECT timestamp, id, children, messages FROM positions
      WHERE room_id = ? AND level = ? ORDER BY timestamp, id`;
    return this.db.statement(sql).all(roomId, level) as unknown as Part[];
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Checks that every part has the right counts and no more children than allowed. */
function expectSound(room: Room, roomId: string, { block, group }: PartSizes): void {
  const keys = room.keys(roomId);
  let below: readonly { readonly messages: number }[] = keys.map(() => ({ messages: 1 }));
  for (let level = 0; level <= ROOM_LEVEL; level += 1) {
    const parts = room.parts(roomId, level);
    let next = 0;
    for (const { children, messages } of parts) {
      const mine = below.slice(next, next + children);
      expect([level, mine.length, sum(mine.map((part) => part.messages))]).toEqual([
        level,
        children,
        messages,
      ]);
      if (level < ROOM_LEVEL) expect(children).toBeLessThanOrEqual(2 * (level === 0 ? block : group));
      next += children;
    }
    expect(next).toBe(below.length);
    below = parts;
  }
  expect(below.length).toBe(keys.length > 0 ? 1 : 0);
}

const key = (timestamp: number, id: number): MessagePosition => ({ timestamp, id: `m-${id}` });

/** How many messages arrive at once, and where. */
const fillings: Record<string, (roll: (below: number) => number, index: number) => number> = {
  "at the end": (_roll, index) => index,
  "at the beginning": (_roll, index) => -index,
  anywhere: (roll) => roll(1_000_000),
  "in few moments": (roll) => roll(5),
};

describe("a room's positions", () => {
  const sizes = { block: 3, group: 2 };

  it.each(Object.entries(fillings))("LA2 find the same as OFFSET, filled %s", (_name, timestampOf) => {
    for (const seed of [1, 2]) {
      const roll = seededRandom(seed);
      const room = new Room(sizes);
      let count = 0;
      while (count < 900) {
        const batch = Array.from({ length: 1 + roll(roll(2) === 0 ? 2 : 60) }, () => {
          count += 1;
          return key(timestampOf(roll, count), roll(2) === 0 ? count : -count);
        });
        room.add("room", batch);
        if (roll(3) === 0) {
          const known = room.keys("room");
          const moved = known.filter(() => roll(known.length) < 20);
          room.move(
            "room",
            moved.map((from) => ({ from, to: { ...from, timestamp: timestampOf(roll, count + 1) } })),
          );
        }
        if (roll(9) === 0) room.add("another", [key(0, count * 1_000)]);
        if (roll(9) === 0) room.forget("another");
      }
      expectSound(room, "room", sizes);
      expectSound(room, "another", sizes);
      const { place } = positionsReader(callsOf(room.db));
      const keys = room.keys("room");
      const { statement } = { statement: (sql: string) => room.db.statement(sql) };
      for (let offset = 0; offset < keys.length; offset += 1) {
        const { timestamp, id, skip } = place("room", offset);
        const found = statement(`SELECT timestamp, id FROM messages WHERE room_id = 'room'
          AND (timestamp, id) >= (?, ?) ORDER BY timestamp, id LIMIT 1 OFFSET ?`).get(timestamp, id, skip);
        expect([offset, { ...found }]).toEqual([offset, { ...keys[offset] }]);
        if (offset >= BLOCK_SIZE) expect(skip).toBeLessThan(sizes.block * 2);
      }
      room.db.close();
    }
  });

  it("start again after a room is removed", () => {
    const room = new Room(sizes);
    room.add(
      "room",
      Array.from({ length: 50 }, (_, index) => key(index, index)),
    );
    room.forget("room");
    expect(room.parts("room", ROOM_LEVEL)).toEqual([]);
    room.add("room", [key(1, 1)]);
    expectSound(room, "room", sizes);
    room.db.close();
  });

  it("are few: a room that grows at its end has full blocks and groups", () => {
    const real = { block: BLOCK_SIZE, group: GROUP_SIZE };
    const room = new Room(real);
    for (let start = 0; start < 20_000; start += 500) {
      room.add(
        "room",
        Array.from({ length: 500 }, (_, index) => key(start + index, start + index)),
      );
    }
    expectSound(room, "room", real);
    expect(room.parts("room", 0).length).toBeLessThanOrEqual(Math.ceil(20_000 / BLOCK_SIZE) + 1);
    expect(room.parts("room", 2).length).toBe(1);
    room.db.close();
  });
});
