import { describe, expect, it } from "@jest/globals";
import { closedLoop, fanoutSample, together } from "./closed-loop.ts";
import type { LoadedRoom } from "./closed-loop.ts";
import { RoomMeter } from "./room-meter.ts";

const FRAME = 10;
const RECEIVERS = 3;

/** A room that delivers `bytes` for every message, and remembers how many were under way at most. */
function roomOf(bytes: (message: number) => number) {
  const meter = new RoomMeter();
  const seen = { sent: 0, underWay: 0, mostUnderWay: 0, senders: new Set<number>(), checked: -1 };
  const room = {
    server: { name: "a server", process: { cpuMicros: 0 } },
    members: [0, 1, 2, 3],
    meter,
    frameBytes: FRAME,
    receivers: RECEIVERS,
    reset: () => meter.reset(),
    check: (messages: number) => void (seen.checked = messages),
    send(sender: number) {
      const message = seen.sent++;
      seen.senders.add(sender);
      seen.mostUnderWay = Math.max(seen.mostUnderWay, ++seen.underWay);
      setImmediate(() => {
        seen.underWay -= 1;
        meter.add(bytes(message));
      });
    },
  } as unknown as LoadedRoom;
  return { room, seen };
}

const load = { inFlight: 4, messages: 400, atMostMs: 60_000, stalledMs: 40 };

describe("the closed loop", () => {
  it("takes several rounds for one, with every message of each", () => {
    const rounds = [
      { messages: 2, elapsedMs: 10, cpuMicros: 30, latenciesMs: [1, 2] },
      { messages: 1, elapsedMs: 20, cpuMicros: 60, latenciesMs: [9] },
    ];
    expect(together(rounds)).toEqual({ messages: 3, elapsedMs: 30, cpuMicros: 90, latenciesMs: [1, 2, 9] });
    expect(fanoutSample(together(rounds), 10).cpuPerDelivery).toBe(3);
  });

  it("keeps so many under way and no more, lets senders take turns, and has everything checked", async () => {
    const { room, seen } = roomOf(() => FRAME * RECEIVERS);
    const outcome = await closedLoop(room, load, 3);
    expect(outcome.messages).toBe(400);
    expect(outcome.latenciesMs).toHaveLength(400);
    expect(seen).toMatchObject({ sent: 400, mostUnderWay: 4, checked: 400 });
    expect([...seen.senders]).toEqual([3, 0, 1]);
    expect(fanoutSample(outcome, RECEIVERS).messages).toBe(400);
  });

  it("stalls when a delivery is lost", async () => {
    const { room } = roomOf((message) => FRAME * (message === 100 ? RECEIVERS - 1 : RECEIVERS));
    await expect(closedLoop(room, load, 0)).rejects.toThrow("a server stalled");
  });

  it("ends when its time is over, with everything that was sent", async () => {
    const { room, seen } = roomOf(() => FRAME * RECEIVERS);
    const outcome = await closedLoop(room, { ...load, messages: Infinity, atMostMs: 5 }, 0);
    expect(outcome.messages).toBe(seen.sent);
    expect(seen.checked).toBe(seen.sent);
  });
});
