import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { silentLog } from "@hearth/runtime";
import { openRedis } from "@hearth/runtime/network";
import { createRedisServer, freePort, redisProgram, until } from "@hearth/runtime/testing";
import { describeWithRedis } from "../../testing/redis.ts";
import { createRedisRoster } from "../roster/roster.redis.ts";
import { createRedisCarrier } from "./carrier.redis.ts";
import { createChannels } from "./channels.redis.ts";

describeWithRedis("the carrier's subscription", (redis) => {
  const rejections: unknown[] = [];
  const note = (error: unknown): void => void rejections.push(error);
  beforeEach(() => {
    rejections.length = 0;
    process.on("unhandledRejection", note);
  });
  afterEach(() => void process.off("unhandledRejection", note));

  const openedAt = (port: number, password?: string) => {
    const options = { url: `redis://127.0.0.1:${port}`, log: silentLog, ...(password && { password }) };
    const connection = openRedis({ ...options, subscriber: true });
    const carrier = createRedisCarrier(connection, silentLog);
    const close = async (): Promise<void> => {
      await carrier.close();
      connection.disconnect();
    };
    return { carrier, close };
  };
  const parcel = { room: "server:1", message: { n: 1 }, ephemeral: false, exceptConnectionId: null };

  it("F9 is made when Redis appears late; until then the carrier is not ready", async () => {
    const port = await freePort();
    const [one, two] = [openedAt(port), openedAt(port)];
    await setTimeout(300);
    expect([one.carrier.ready, two.carrier.ready]).toEqual([false, false]);
    const server = await createRedisServer(redisProgram ?? "", { port });
    await server.start();
    await until(() => one.carrier.ready && two.carrier.ready);
    const received = new Promise((resolve) => two.carrier.receive(resolve));
    await one.carrier.publish(parcel);
    expect(await received).toEqual(parcel);
    await Promise.all([one.close(), two.close()]);
    await server.end();
    expect(rejections).toEqual([]);
  });

  it("F7 is made again after a restart without the channel, without an unhandled rejection", async () => {
    const [one, two] = [openedAt(redis.server.port), openedAt(redis.server.port)];
    await until(() => one.carrier.ready && two.carrier.ready);
    for (let outage = 0; outage < 3; outage++) {
      await redis.server.end("SIGKILL");
      await until(() => !one.carrier.ready && !two.carrier.ready);
      expect([one.carrier.ready, two.carrier.ready]).toEqual([false, false]);
      await redis.server.start();
      await until(() => one.carrier.ready && two.carrier.ready);
      const received = new Promise((resolve) => two.carrier.receive(resolve));
      await one.carrier.publish(parcel);
      expect(await received).toEqual(parcel);
    }
    await Promise.all([one.close(), two.close()]);
    expect(rejections).toEqual([]);
  });

  it("does not end the process if it closes before Redis appears, or if the password is wrong", async () => {
    const absent = openedAt(await freePort());
    await setTimeout(50);
    await absent.close();
    const refused = openedAt(redis.server.port, "not-the-password");
    await setTimeout(600);
    await refused.close();
    await setTimeout(20);
    expect(rejections).toEqual([]);
  });

  it("leaves out this node's own messages, and no others", async () => {
    const connection = await redis.open({ subscriber: true });
    const channels = createChannels(connection, silentLog);
    const heard: string[] = [];
    channels.on("smessageBuffer", (_, message) => heard.push(message.toString()));
    channels.skipStartingWith('{"uid":"me"');
    channels.ssubscribe("somewhere");
    await until(() => channels.subscribed);
    const said = ['{"uid":"me","n":1}', '{"uid":"you","n":2}', "{", '{"uid":"me"', '{"uid":"mean","n":3}'];
    for (const message of said) await connection.spublish("somewhere", message);
    await until(() => heard.length >= 3);
    expect(heard).toEqual(['{"uid":"you","n":2}', "{", '{"uid":"mean","n":3}']);
  });

  it("F7 the roster is not ready before its first call, nor while Redis is frozen", async () => {
    const client = await redis.open({ commandTimeoutMs: 600 });
    const roster = createRedisRoster(client);
    expect(roster.ready).toBe(false);
    await roster.renew("node-1", 1_000);
    expect(roster.ready).toBe(true);
    redis.server.signal("SIGSTOP");
    try {
      await expect(roster.renew("node-1", 1_000)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(roster.ready).toBe(false);
    } finally {
      redis.server.signal("SIGCONT");
    }
    await until(() => client.status === "ready");
    await roster.renew("node-1", 1_000);
    expect(roster.ready).toBe(true);
    await expect(roster.enter("room", "nobody")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(roster.ready).toBe(true);
  });

  it("F7 loads scripts again into a Redis that forgot them", async () => {
    const client = await redis.open();
    const roster = createRedisRoster(client);
    await roster.renew("node-1", 1_000);
    await client.script("FLUSH");
    await expect(roster.renew("node-1", 1_000)).resolves.toEqual({
      known: true,
      alone: false,
      superseded: [],
    });
  });
});
