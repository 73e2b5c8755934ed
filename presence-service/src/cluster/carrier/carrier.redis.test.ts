import { expect, it, jest } from "@jest/globals";
import { silentLog } from "@hearth/runtime";
import { until } from "@hearth/runtime/testing";
import { describeWithRedis } from "../../testing/redis.ts";
import { describeCarrierContract } from "./carrier.contract.ts";
import { createRedisCarrier } from "./carrier.redis.ts";
import type { Carrier, Parcel } from "./carrier.ts";

const parcelOf = (n: number): Parcel => ({
  room: "server:1",
  message: { n },
  ephemeral: false,
  exceptConnectionId: null,
});

describeWithRedis("the carrier over Redis", (redis) => {
  const { open } = redis;
  const connect = async (): Promise<Carrier> => {
    const carrier = createRedisCarrier(await open({ subscriber: true }), silentLog);
    await until(() => carrier.ready);
    return carrier;
  };

  describeCarrierContract("the carrier over Redis", async () => ({ connect, close: async () => undefined }));

  it("does not read its own messages, and receives them on the connection of Redis' answer", async () => {
    const connection = await open({ subscriber: true });
    const carrier = createRedisCarrier(connection, silentLog);
    await until(() => carrier.ready);
    const parse = jest.spyOn(JSON, "parse");
    await carrier.publish(parcelOf(1));
    await connection.ping();
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("ER6 F7 rejects while Redis is away, and works again when it is back", async () => {
    const [one, two] = [await connect(), await connect()];
    const received: unknown[] = [];
    two.receive(({ message }) => received.push(message["n"]));
    await one.publish(parcelOf(1));
    await until(() => received.includes(1));
    await redis.server.end("SIGKILL");
    await expect(one.publish(parcelOf(2))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await redis.server.start();
    await until(async () => {
      await one.publish(parcelOf(3))?.catch(() => undefined);
      return received.includes(3);
    }, 10_000);
    expect([...new Set(received)]).toEqual([1, 3]);
  });
});
