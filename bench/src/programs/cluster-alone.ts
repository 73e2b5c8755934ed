import { closedLoop, fanoutSample, together, TURN_MESSAGES } from "../fanout/closed-loop.ts";
import type { LoopOutcome } from "../fanout/closed-loop.ts";
import { Room } from "../fanout/room.ts";
import type { RoomServer } from "../fanout/room.ts";
import type { Results } from "../figures/results.ts";
import { workOf } from "./fanout.ts";

/** In rooms of these sizes one node is measured beside the embedded mode. */
export const ALONE = [100, 1000] as const;

/** Rounds of each load. */
const ROUNDS = 8;
const ROUND_MS = 400;
/** What everybody in the room may send, less a turn that each round may leave unfinished. */
const SHARES = { 1: 0.2, 16: 0.55 } as const;

class Contestant {
  readonly server: RoomServer;
  private readonly room: Room;
  private turn = 0;

  private constructor(server: RoomServer, room: Room) {
    this.server = server;
    this.room = room;
  }

  static async enter(server: RoomServer, receivers: number): Promise<Contestant> {
    return new Contestant(server, await Room.open(server, receivers));
  }

  async play(inFlight: number, messages: number, atMostMs: number): Promise<LoopOutcome> {
    const outcome = await closedLoop(this.room, { inFlight, messages, atMostMs }, this.turn);
    this.turn += Math.ceil(outcome.messages / TURN_MESSAGES);
    return outcome;
  }

  async leave(): Promise<void> {
    await this.room.close();
  }
}

/**
 * One room on each server at the same time, and many short rounds in turns: what the machine does differently from one
 * second to the next then happens to all of them.
 */
export async function measureInTurns(
  servers: readonly RoomServer[],
  receivers: number,
  quick: boolean,
  results: Results | undefined,
): Promise<void> {
  const contestants: Contestant[] = [];
  for (const server of servers) contestants.push(await Contestant.enter(server, receivers));
  const budget = (receivers + 1) * TURN_MESSAGES;
  for (const contestant of contestants) await contestant.play(4, Math.min(300, budget * 0.05), ROUND_MS);
  const rounds = quick ? 1 : ROUNDS;
  for (const inFlight of [1, 16] as const) {
    const outcomes = new Map(contestants.map((contestant) => [contestant, [] as LoopOutcome[]]));
    const messages = Math.ceil((budget * SHARES[inFlight]) / ROUNDS);
    for (let round = 0; round < rounds; round += 1)
      for (const [contestant, done] of outcomes)
        done.push(await contestant.play(inFlight, messages, quick ? ROUND_MS / 4 : ROUND_MS));
    for (const [{ server }, done] of outcomes)
      results?.add(workOf(receivers, inFlight), server.name, fanoutSample(together(done), receivers));
  }
  for (const contestant of contestants) await contestant.leave();
}
