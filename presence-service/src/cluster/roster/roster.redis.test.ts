import { expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { until } from "@hearth/runtime/testing";
import { describeWithRedis } from "../../testing/redis.ts";
import { add } from "../../testing/roster-records.ts";
import { describeRosterContract } from "./roster.contract.ts";
import { createRedisRoster } from "./roster.redis.ts";

describeWithRedis("the roster in Redis", (redis) => {
  const { open } = redis;
  describeRosterContract("the roster in Redis", async () => {
    const reopen = async () => createRedisRoster(await open());
    await (await open()).flushall();
    return { roster: await reopen(), elsewhere: await reopen(), reopen, pass: (ms) => setTimeout(ms) };
  });

  it("versions grow after everything was lost", async () => {
    const client = await open();
    const roster = createRedisRoster(client);
    const first = await roster.enter("room", (await add(roster)).connectionId);
    await client.flushall();
    const second = await roster.enter("room", (await add(roster)).connectionId);
    expect(second.arrival).toBeGreaterThan(first.arrival ?? Number.NaN);
    expect(await roster.renew("node-1", 1_000)).toEqual({ known: false, alone: false, superseded: [] });
  });

  it("F7 a node is not alone if Redis may have lost another one", async () => {
    const client = await open();
    const roster = createRedisRoster(client);
    expect(await roster.renew("node-1", 300)).toMatchObject({ alone: false });
    await setTimeout(350);
    expect(await roster.renew("node-1", 300)).toMatchObject({ alone: true });
    await redis.server.end("SIGKILL");
    await redis.server.start();
    await until(() => client.status === "ready");
    expect(await roster.renew("node-1", 300)).toMatchObject({ known: false, alone: false });
    await setTimeout(350);
    expect(await roster.renew("node-1", 300)).toMatchObject({ known: true, alone: true });
  });

  it("keeps nothing of users who have left", async () => {
    const client = await open();
    const roster = createRedisRoster(client);
    await roster.renew("node-1", 60_000);
    for (let n = 0; n < 20; n++) {
      const { connectionId, clientInstanceId } = await add(roster);
      await roster.enter(`room-${n % 3}`, connectionId);
      const heir = await add(roster, { clientInstanceId });
      await roster.leave(`room-${n % 3}`, connectionId);
      await roster.unregister(connectionId);
      await roster.unregister(heir.connectionId);
    }
    const left = (await client.keys("*")).map((key) => key.replace("hearth:roster:", "")).sort();
    expect(left).toEqual(["nodes", "turn", "version"]);
  });

  it("ER6 F7 is UNAVAILABLE while Redis is away, and works again when it is back", async () => {
    const client = await open();
    const roster = createRedisRoster(client);
    await redis.server.end("SIGKILL");
    await expect(add(roster)).rejects.toMatchObject({ code: "UNAVAILABLE", retryable: true });
    await redis.server.start();
    await until(() => client.status === "ready");
    await expect(add(roster)).resolves.toBeDefined();
  });
});
