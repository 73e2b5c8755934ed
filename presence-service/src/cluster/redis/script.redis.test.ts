import { setTimeout } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { describeWithRedis } from "../../testing/redis.ts";
import { add, LIMIT, recordOf } from "../../testing/roster-records.ts";
import { createRedisVoiceLeases } from "../../voice/voice-leases.redis.ts";
import { createRedisRoster } from "../roster/roster.redis.ts";

/** How long a caller waits for an answer, and how long Redis stays frozen after that. */
const GIVES_UP_MS = 600;
const FROZEN_MS = 300;

describeWithRedis("a Redis that was frozen", (redis) => {
  const open = () => redis.open({ commandTimeoutMs: GIVES_UP_MS });
  /** Freezes Redis during `work`, which fails, and for a while after it. */
  const whileFrozen = async (work: () => Promise<unknown>): Promise<void> => {
    redis.server.signal("SIGSTOP");
    try {
      await expect(work()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await setTimeout(FROZEN_MS);
    } finally {
      redis.server.signal("SIGCONT");
    }
  };

  it("WS6 I6 does not register a connection whose caller has given up: the device's last connection stays its only one", async () => {
    const [one, other] = [createRedisRoster(await open()), createRedisRoster(await open())];
    const nodes = ["node-1", "node-2"] as const;
    await one.renew(nodes[0], 60_000);
    await other.renew(nodes[1], 60_000);
    const device = { clientInstanceId: "laptop" };
    await whileFrozen(() => one.register(recordOf({ ...device, nodeId: nodes[0] }), LIMIT));
    const last = recordOf({ ...device, nodeId: nodes[1] });
    expect(await other.register(last, LIMIT)).toEqual({
      outcome: "registered",
      superseded: null,
      others: [],
    });
    await one.renew(nodes[0], 60_000);
    expect(await other.renew(nodes[1], 60_000)).toMatchObject({ superseded: [] });
  });

  it("VO3 does not end a lease whose caller has given up", async () => {
    const leases = createRedisVoiceLeases(await open(), 100);
    const device = { oderId: "user-1", clientInstanceId: "laptop", connectionId: "connection-1" };
    await leases.claim({ ...device, serverId: "server-1", channelId: "channel-1" });
    await setTimeout(200);
    await whileFrozen(() => leases.expire());
    expect(await leases.expire()).toMatchObject([device]);
  });

  it("WS8 does not take a user out of a room if the caller has given up", async () => {
    const roster = createRedisRoster(await open());
    const { connectionId } = await add(roster);
    await roster.enter("room", connectionId);
    await whileFrozen(() => roster.unregister(connectionId));
    expect(await roster.unregister(connectionId)).toMatchObject([{ serverId: "room", oderId: "user-1" }]);
  });

  it("I16 serves every caller again at once", async () => {
    const roster = createRedisRoster(await open());
    await roster.renew("node-1", 60_000);
    await whileFrozen(() => roster.renew("node-1", 60_000));
    await expect(roster.renew("node-1", 60_000)).resolves.toMatchObject({ known: true });
  });
});
