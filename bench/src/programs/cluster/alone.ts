import { fanoutSample, TURN_MESSAGES } from "../../fanout/closed-loop.ts";
import { Contest } from "../../fanout/contest.ts";
import { Room } from "../../fanout/room.ts";
import type { RoomServer } from "../../fanout/room.ts";
import type { Results } from "../../figures/results.ts";
import { workOf } from "../fanout.ts";

/** Sizes of the rooms in which one node is compared with the embedded mode. */
export const ALONE = [100, 1000] as const;

const ROUNDS = 10;
const ROUND_MS = 200;
/** Maximum senders of a round. */
const TURNS = { 1: 2, 16: 16 } as const;

/** A room on each server at the same time, loaded in turns. */
export async function measureInTurns(
  servers: readonly RoomServer[],
  receivers: number,
  quick: boolean,
  results: Results | undefined,
): Promise<void> {
  const contest = await Contest.open(servers, (server) => Room.open(server, receivers));
  const atMostMs = quick ? ROUND_MS / 2 : ROUND_MS;
  await contest.play(1, { inFlight: 4, messages: 2 * TURN_MESSAGES, atMostMs: 2 * atMostMs });
  for (const inFlight of [1, 16] as const) {
    const load = { inFlight, messages: TURNS[inFlight] * TURN_MESSAGES, atMostMs };
    for (const { room, outcome } of await contest.play(quick ? 1 : ROUNDS, load))
      results?.add(workOf(receivers, inFlight), room.server.name, fanoutSample(outcome, receivers));
  }
  await contest.close();
}
