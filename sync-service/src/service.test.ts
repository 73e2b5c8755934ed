import { EventEmitter, once } from "node:events";
import { syncSubjects } from "@hearth/contracts";
import { createMemoryBus, createMetrics, silentLog } from "@hearth/runtime";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createSyncService } from "./service.ts";

const TAB = "0197a1f0-0000-7000-8000-00000000000a";
const sync = (payload: object) => ({
  oderId: "user",
  connectionId: "c1",
  sequence: 7,
  envelope: { type: "account_sync", clientInstanceId: TAB, payload },
});

describe("the sync service on its bus", () => {
  const bus = createMemoryBus({ log: silentLog });
  const metrics = createMetrics();
  const service = createSyncService({ bus, metrics });
  beforeEach(() => service.start());
  afterEach(() => service.stop());

  it("AS1 publishes an envelope to every node for the account's other connections", async () => {
    const heard = new EventEmitter();
    const subscription = bus.subscribe(
      syncSubjects.deliver,
      (delivery) => void heard.emit("delivery", delivery),
    );
    const delivery = once(heard, "delivery");
    await bus.request(syncSubjects.relay, sync({ type: "friend-removed", userId: "u2" }));
    expect(await delivery).toEqual([
      {
        oderId: "user",
        exceptConnectionId: "c1",
        sequence: 7,
        envelope: { ...sync({ type: "friend-removed", userId: "u2" }).envelope, fromUserId: "user" },
      },
    ]);
    subscription.close();
    expect(await metrics.text()).toContain('hearth_sync_envelopes_total{payload="friend-removed"} 1');
  });

  it("AS1 relays envelopes without a sequence from an earlier version of presence", async () => {
    const heard: object[] = [];
    const subscription = bus.subscribe(syncSubjects.deliver, (delivery) => void heard.push(delivery));
    const { sequence: _, ...unnumbered } = sync({ type: "x" });
    await bus.request(syncSubjects.relay, unnumbered);
    await new Promise((resolve) => setImmediate(resolve));
    subscription.close();
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toHaveProperty("sequence");
  });

  it("AS1 keeps the order of a sender that waits for each answer", async () => {
    const order: unknown[] = [];
    const subscription = bus.subscribe(
      syncSubjects.deliver,
      ({ envelope }) => void order.push(envelope["n"]),
    );
    for (let n = 0; n < 100; n += 1) {
      const { envelope, ...rest } = sync({ type: "x" });
      await bus.request(syncSubjects.relay, { ...rest, envelope: { ...envelope, n } });
    }
    await new Promise((resolve) => setImmediate(resolve));
    subscription.close();
    expect(order).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it("AS2 refuses a bad envelope and publishes nothing", async () => {
    const heard: unknown[] = [];
    const subscription = bus.subscribe(syncSubjects.deliver, (delivery) => void heard.push(delivery));
    await expect(bus.request(syncSubjects.relay, sync({ type: "saved-room-remove" }))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    await new Promise((resolve) => setImmediate(resolve));
    subscription.close();
    expect(heard).toEqual([]);
  });

  it("ER6 answers UNAVAILABLE, which is retryable, after it has stopped", async () => {
    await service.stop();
    await expect(bus.request(syncSubjects.relay, sync({ type: "x" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});
