import { expect, it } from "@jest/globals";
import { ProblemError, authSubjects } from "@hearth/contracts";
import { createMetrics, newId, silentLog, systemClock } from "@hearth/runtime";
import { interruptedBus, until } from "@hearth/runtime/testing";
import { createCarrierHub, createMemoryCarrier } from "../cluster/carrier/carrier.memory.ts";
import { createMemoryRoster } from "../cluster/roster/roster.memory.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import { sessionRoom } from "../delivery/rooms.ts";
import { createNode } from "../node.ts";
import { World } from "../testing/world.ts";
import { createMemoryVoiceLeases } from "../voice/voice-leases.memory.ts";
import { askForMissedEndings } from "./missed-endings.ts";

it("X7 AU6 asks about every session once the bus is back, in batches, and again while auth cannot answer", async () => {
  const { bus, reconnect } = interruptedBus();
  const node = createNode({
    roster: createMemoryRoster(systemClock),
    leases: createMemoryVoiceLeases(systemClock, 10_000),
    carrier: createMemoryCarrier(),
    bus,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
  });
  for (let n = 0; n < 450; n++) {
    const identity = { sessionId: `s-${n}`, oderId: `u-${n}` };
    node.connections.set(`c-${n}`, { identity, connection: { id: `c-${n}` } } as unknown as ConnectionState);
  }
  const asked: string[][] = [];
  let fails = true;
  bus.answer(authSubjects.ended, async ({ sessions }) => {
    asked.push(sessions.map(({ sessionId }) => sessionId));
    if (fails && asked.length === 2) throw new ProblemError("UNAVAILABLE");
    const ended = sessions.filter(({ sessionId }) => sessionId === "s-449");
    return { ended: ended.map(({ sessionId }) => ({ sessionId, reason: "revoked" as const })) };
  });
  askForMissedEndings(node);
  reconnect();
  await until(() => node.pendingAnnouncements.size > 0);
  expect(node.revocations.reasonFor("s-449")).toBeNull();
  fails = false;
  await node.pendingAnnouncements.retry();
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 200, 50]);
  expect(new Set(asked.flat()).size).toBe(450);
  expect(node.revocations.reasonFor("s-449")).toBe("revoked");
  expect(node.revocations.reasonFor("s-0")).toBeNull();
  expect(node.rooms.of(sessionRoom("s-449"))).toEqual([]);
  await bus.close();
});

it("DI7 removes users from the rooms they lost while the bus was away, and from no others", async () => {
  const { bus, reconnect } = interruptedBus();
  const connectCarrier = createCarrierHub();
  const roster = createMemoryRoster(systemClock);
  const leases = createMemoryVoiceLeases(systemClock, 10_000);
  const connect = () => ({ bus, roster, leases, carrier: connectCarrier() });
  const world = new World({ shared: { bus, roster, leases, connect, arrived: async () => undefined } });
  const [kept, lost, elsewhere] = [newId(), newId(), newId()];
  const [ada, ben] = [world.logIn(), world.logIn()];
  const device = await world.arrive(ada, { joins: [kept, lost] });
  const other = await world.arrive(ben, { joins: [kept, lost] });
  world.services.refused.set(`${lost} ${ada.oderId}`, "BANNED");
  world.services.refused.set(`${elsewhere} ${ben.oderId}`, "ACCESS_DENIED");
  reconnect();
  await until(() => other.all("user_left").length > 0);
  expect(device.all("removed_from_server")).toMatchObject([{ serverId: lost, reason: "banned" }]);
  expect(other.all("user_left")).toMatchObject([{ serverId: lost, oderId: ada.oderId }]);
  expect(other.all("removed_from_server")).toEqual([]);
  await bus.close();
});
