import { expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { describeWithRedis } from "../testing/redis.ts";
import { describeVoiceLeasesContract, LEASE_MS } from "./voice-leases.contract.ts";
import { createRedisVoiceLeases } from "./voice-leases.redis.ts";

const CLAIM = {
  oderId: "user-1",
  clientInstanceId: "laptop",
  connectionId: "connection-1",
  serverId: "server-1",
  channelId: "channel-1",
};

describeWithRedis("voice leases in Redis", ({ open }) => {
  describeVoiceLeasesContract("voice leases in Redis", async () => {
    const reopen = async () => createRedisVoiceLeases(await open(), LEASE_MS);
    await (await open()).flushall();
    return { leases: await reopen(), elsewhere: await reopen(), reopen, pass: (ms) => setTimeout(ms) };
  });

  it("VO2 fences grow after everything was lost, and nothing remains of an ended lease", async () => {
    const client = await open();
    const leases = createRedisVoiceLeases(client, LEASE_MS);
    const first = await leases.claim(CLAIM);
    await client.flushall();
    const second = await leases.claim(CLAIM);
    expect(second.lease.fence).toBeGreaterThan(first.lease.fence);
    await leases.release("user-1", {});
    expect(await client.keys("*")).toEqual(["hearth:voice-leases:fence"]);
  });
});
