import { expect, it } from "@jest/globals";
import { LIMITS } from "@hearth/contracts";
import { describeWithRedis } from "../../testing/redis.ts";
import { add, recordOf } from "../../testing/roster-records.ts";
import { createRedisRoster } from "./roster.redis.ts";

describeWithRedis("the roster in Redis at its limits", (redis) => {
  it("counts a thousand servers at once", async () => {
    const roster = createRedisRoster(await redis.open());
    const { connectionId } = await add(roster);
    await roster.enter("server-7", connectionId);
    const ids = Array.from({ length: 1_000 }, (_, n) => `server-${n}`);
    const online = await roster.online(ids);
    expect(Object.values(online).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(online["server-7"]).toBe(1);
  });

  it("WS12 a user with a hundred connections in a hundred rooms each leaves nothing behind", async () => {
    const client = await redis.open();
    const roster = createRedisRoster(client);
    const records = [];
    for (let n = 0; n < 100; n++) {
      records.push(recordOf({ oderId: "one" }));
      await roster.register(recordOf(records[n]), LIMITS.connectionsPerUser);
    }
    const rooms = Array.from({ length: 100 }, (_, n) => `room-${n}`);
    await Promise.all(
      records.flatMap(({ connectionId }) => rooms.map((room) => roster.enter(room, connectionId))),
    );
    expect(await roster.serversOf("one")).toHaveLength(100);
    const departures = [];
    for (const { connectionId } of records) departures.push(...(await roster.unregister(connectionId)));
    expect(departures).toHaveLength(100);
    expect((await client.keys("*")).map((key) => key.replace("hearth:roster:", "")).sort()).toEqual([
      "turn",
      "version",
    ]);
  });

  it("returns a room of ten thousand completely, and reaps a node of ten thousand, but not its new connections", async () => {
    const client = await redis.open();
    const roster = createRedisRoster(client);
    await roster.renew("node-1", 1);
    const pipeline = client.pipeline();
    for (let n = 0; n < 10_000; n++) {
      const record = { connectionId: `c-${n}`, nodeId: "node-1", oderId: `u-${n}` };
      pipeline.hset(`hearth:roster:connection:c-${n}`, "record", JSON.stringify(record));
      pipeline.hset(`hearth:roster:user:u-${n}`, "displayName", `User ${n}`, "status", "online");
      pipeline.zadd(`hearth:roster:connections:u-${n}`, n, `c-${n}`);
      pipeline.sadd(`hearth:roster:servers:c-${n}`, "room");
      pipeline.hset("hearth:roster:room:room", `u-${n}`, 1);
      pipeline.sadd("hearth:roster:node:node-1", `c-${n}`);
    }
    await pipeline.exec();
    const { connectionId } = await add(roster, { nodeId: "node-2" });
    const { occupants } = await roster.enter("room", connectionId);
    expect(occupants).toHaveLength(10_001);
    const elsewhere = createRedisRoster(await redis.open());
    const reaping = roster.reap();
    expect(await elsewhere.renew("node-1", 60_000)).toMatchObject({ known: false });
    const anew = await add(elsewhere, { nodeId: "node-1", oderId: "anew" });
    const own = await reaping;
    const all = [...own, ...(await elsewhere.reap())];
    expect(new Set(all.map(({ oderId }) => oderId)).size).toBe(10_000);
    expect(all).toHaveLength(10_000);
    expect(await elsewhere.enter("room", anew.connectionId)).toMatchObject({ arrival: expect.any(Number) });
    expect(await client.keys("hearth:roster:dead*")).toEqual([]);
  }, 20_000);
});
