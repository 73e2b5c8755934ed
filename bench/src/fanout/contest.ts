import { setTimeout as wait } from "node:timers/promises";
import { closedLoop, together, TURN_MESSAGES } from "./closed-loop.ts";
import type { LoadedRoom, Load, LoopOutcome } from "./closed-loop.ts";

/** As much as one connection may send in a second. */
const PER_SECOND = 60;
const REST_MS = (1_000 * TURN_MESSAGES) / PER_SECOND;

/** A connection's first heartbeat comes 25 s after its opening, and none may fall into a round. */
const OPEN_MS = 23_000;

/**
 * The wait before the members take the `upcoming` turns, one each: a member may send again 3 s after its last turn.
 * `turns` has the end times of all turns so far.
 */
export function restMs(turns: readonly number[], upcoming: number, members: number, now: number): number {
  if (upcoming > members) throw new Error(`${members} senders cannot take ${upcoming} turns in a row`);
  // Of the next members, the last one has rested least.
  const before = turns[turns.length + upcoming - 1 - members];
  return before === undefined ? 0 : Math.max(0, before + REST_MS - now);
}

/** A room and the state of its senders' turns. */
class Contestant<Loaded extends LoadedRoom> {
  readonly room: Loaded;
  private readonly turns: number[] = [];

  constructor(room: Loaded) {
    this.room = room;
  }

  async play(load: Load): Promise<LoopOutcome> {
    const upcoming = Math.ceil(load.messages / TURN_MESSAGES);
    await wait(restMs(this.turns, upcoming, this.room.members.length, performance.now()));
    const outcome = await closedLoop(this.room, load, this.turns.length);
    const now = performance.now();
    for (let sent = 0; sent < outcome.messages; sent += TURN_MESSAGES) this.turns.push(now);
    return outcome;
  }
}

/** A room's results over all rounds. */
export interface Score<Loaded extends LoadedRoom> {
  readonly room: Loaded;
  readonly outcome: LoopOutcome;
}

/**
 * Rooms that are open at the same time and loaded in turns, in many short rounds, so that variations of the machine
 * affect all of them.
 */
export class Contest<Loaded extends LoadedRoom> {
  private readonly closesAt: number;
  private readonly contestants: readonly Contestant<Loaded>[];

  private constructor(rooms: readonly Loaded[], closesAt: number) {
    this.contestants = rooms.map((room) => new Contestant(room));
    this.closesAt = closesAt;
  }

  /** Opens one room after another. */
  static async open<Server, Loaded extends LoadedRoom>(
    servers: readonly Server[],
    open: (server: Server) => Promise<Loaded>,
    openMs = OPEN_MS,
  ): Promise<Contest<Loaded>> {
    const closesAt = performance.now() + openMs;
    const rooms: Loaded[] = [];
    for (const server of servers) rooms.push(await open(server));
    return new Contest(rooms, closesAt);
  }

  /** Runs the load in this many rounds, or fewer when time is up; every room has the same number. */
  async play(rounds: number, load: Load): Promise<readonly Score<Loaded>[]> {
    const played = this.contestants.map((contestant) => ({ contestant, outcomes: [] as LoopOutcome[] }));
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      for (const { contestant, outcomes } of played) outcomes.push(await contestant.play(load));
      const endedAt = performance.now();
      if (endedAt + (endedAt - startedAt) > this.closesAt) break;
    }
    return played.map(({ contestant: { room }, outcomes }) => ({ room, outcome: together(outcomes) }));
  }

  async close(): Promise<void> {
    for (const { room } of this.contestants) await room.close();
  }
}
