import { expect, it } from "@jest/globals";
import { ProblemError, authSubjects } from "@hearth/contracts";
import { type Bus, createMemoryBus, createMetrics, silentLog, systemClock } from "@hearth/runtime";
import { createMemoryCarrier } from "./carrier.memory.ts";
import type { Client } from "./client.ts";
import { askForMissedEndings } from "./missed-endings.ts";
import { createNode } from "./node.ts";
import { settleDebts } from "./owed.ts";
import { sessionRoom } from "./rooms.ts";
import { MemoryRoster } from "./roster.memory.ts";
import { MemoryVoiceLeases } from "./voice-leases.memory.ts";

it("X7 AU6 asks about every session once the bus is back, in batches, and again while auth cannot answer", async () => {
  const memory = createMemoryBus({ log: silentLog });
  let back: () => void = () => undefined;
  const bus: Bus = {
    connected: true,
    request: (...given) => memory.request(...given),
    answer: (...given) => memory.answer(...given),
    publish: (...given) => memory.publish(...given),
    subscribe: (...given) => memory.subscribe(...given),
    close: () => memory.close(),
    onReconnect(listener) {
      back = listener;
      return { close: () => undefined };
    },
  };
  const node = createNode({
    roster: new MemoryRoster(systemClock),
    leases: new MemoryVoiceLeases(systemClock, 10_000),
    carrier: createMemoryCarrier(),
    bus,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
  });
  for (let n = 0; n < 450; n++) {
    const identity = { sessionId: `s-${n}`, oderId: `u-${n}` };
    node.clients.set(`c-${n}`, { identity, connection: { id: `c-${n}` } } as unknown as Client);
  }
  const asked: string[][] = [];
  let fails = true;
  memory.answer(authSubjects.ended, async ({ sessions }) => {
    asked.push(sessions.map(({ sessionId }) => sessionId));
    if (fails && asked.length === 2) throw new ProblemError("UNAVAILABLE");
    const ended = sessions.filter(({ sessionId }) => sessionId === "s-449");
    return { ended: ended.map(({ sessionId }) => ({ sessionId, reason: "revoked" as const })) };
  });
  askForMissedEndings(node);
  back();
  while (node.owed.size === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(node.revocations.reasonFor("s-449")).toBeNull();
  fails = false;
  await settleDebts(node);
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 200, 50]);
  expect(new Set(asked.flat()).size).toBe(450);
  expect(node.revocations.reasonFor("s-449")).toBe("revoked");
  expect(node.revocations.reasonFor("s-0")).toBeNull();
  expect(node.rooms.of(sessionRoom("s-449"))).toEqual([]);
  await bus.close();
});
