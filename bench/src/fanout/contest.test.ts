import { describe, expect, it } from "@jest/globals";
import { TURN_MESSAGES } from "./closed-loop.ts";
import { Contest, restMs } from "./contest.ts";
import { standInRoom } from "./testing/stand-in-room.ts";

const turn = { inFlight: 4, messages: TURN_MESSAGES, atMostMs: 60_000, stalledMs: 1_000 };

describe("a sender's rest", () => {
  it("is none as long as others have not had a turn", () => {
    expect(restMs([], 1, 4, 0)).toBe(0);
    expect(restMs([10, 20], 2, 4, 20)).toBe(0);
  });

  it("is what is missing to three seconds since the last one's turn of those that come next", () => {
    const turns = [1_000, 2_000, 3_000, 4_000];
    expect(restMs(turns, 1, 4, 4_000)).toBe(0);
    expect(restMs(turns, 1, 4, 3_500)).toBe(500);
    expect(restMs(turns, 4, 4, 4_000)).toBe(3_000);
    expect(restMs(turns, 4, 4, 9_000)).toBe(0);
  });

  it("cannot be given to more turns than there are senders", () => {
    expect(() => restMs([], 5, 4, 0)).toThrow("4 senders cannot take 5 turns");
  });
});

describe("a contest", () => {
  const contestOf = async (openMs?: number) => {
    const order: string[] = [];
    const stands = ["one", "other"].map((name) => {
      const stand = standInRoom(undefined, name);
      const { reset } = stand.room;
      stand.room.reset = () => {
        order.push(name);
        reset();
      };
      return stand;
    });
    const contest = await Contest.open(stands, async ({ room }) => room, openMs);
    return { contest, order, stands };
  };

  it("gives every room its rounds in rotation, goes on with the next sender, and takes them for one", async () => {
    const { contest, order, stands } = await contestOf();
    const scores = await contest.play(3, turn);
    expect(order).toEqual(["one", "other", "one", "other", "one", "other"]);
    expect(scores.map(({ room }) => room.server.name)).toEqual(["one", "other"]);
    for (const { outcome } of scores) {
      expect(outcome).toMatchObject({ messages: 3 * TURN_MESSAGES, brokerMicros: 3 * TURN_MESSAGES });
      expect(outcome.latenciesMs).toHaveLength(3 * TURN_MESSAGES);
    }
    await contest.play(1, turn);
    for (const { seen } of stands) expect(seen.senders).toEqual([0, 1, 2, 3]);
  });

  it("ends before a heartbeat could come, with as many rounds for one room as for the other", async () => {
    const { contest, order } = await contestOf(1);
    const [one, other] = await contest.play(3, turn);
    expect(order).toEqual(["one", "other"]);
    expect(one?.outcome.messages).toBe(other?.outcome.messages);
  });

  it("closes all its rooms", async () => {
    const { contest, stands } = await contestOf();
    await contest.close();
    expect(stands.map(({ seen }) => seen.closed)).toEqual([true, true]);
  });
});
