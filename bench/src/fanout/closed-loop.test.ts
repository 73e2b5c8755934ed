import { describe, expect, it } from "@jest/globals";
import { closedLoop, fanoutSample, together } from "./closed-loop.ts";
import { FRAME, RECEIVERS, standInRoom } from "./testing/stand-in-room.ts";

const load = { inFlight: 4, messages: 400, atMostMs: 60_000, stalledMs: 40 };

describe("the closed loop", () => {
  it("takes several rounds for one, with every message of each", () => {
    const rounds = [
      { messages: 2, elapsedMs: 10, cpuMicros: 30, brokerMicros: 3, latenciesMs: [1, 2] },
      { messages: 1, elapsedMs: 20, cpuMicros: 60, brokerMicros: 1, latenciesMs: [9] },
    ];
    const one = { messages: 3, elapsedMs: 30, cpuMicros: 90, brokerMicros: 4, latenciesMs: [1, 2, 9] };
    expect(together(rounds)).toEqual(one);
    expect(fanoutSample(together(rounds), 10).cpuPerDelivery).toBe(3);
  });

  it("keeps so many under way and no more, lets senders take turns, and has everything checked", async () => {
    const { room, seen } = standInRoom();
    const outcome = await closedLoop(room, load, 3);
    expect(outcome.messages).toBe(400);
    expect(outcome.latenciesMs).toHaveLength(400);
    expect(seen).toMatchObject({ sent: 400, mostUnderWay: 4, checked: 400 });
    expect(seen.senders).toEqual([3, 0, 1]);
    expect(outcome).toMatchObject({ cpuMicros: 2_000, brokerMicros: 400 });
    expect(fanoutSample(outcome, RECEIVERS).messages).toBe(400);
  });

  it("stalls when a delivery is lost", async () => {
    const { room } = standInRoom((message) => FRAME * (message === 100 ? RECEIVERS - 1 : RECEIVERS));
    await expect(closedLoop(room, load, 0)).rejects.toThrow("a server stalled");
  });

  it("ends when its time is over, with everything that was sent", async () => {
    const { room, seen } = standInRoom();
    const outcome = await closedLoop(room, { ...load, messages: Infinity, atMostMs: 5 }, 0);
    expect(outcome.messages).toBe(seen.sent);
    expect(seen.checked).toBe(seen.sent);
  });
});
