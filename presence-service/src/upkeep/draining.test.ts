import { describe, expect, it } from "@jest/globals";
import { CLOSE } from "@hearth/contracts";
import { until } from "@hearth/runtime/testing";
import { type Device, SERVER, World } from "../testing/index.ts";
import { drain, drainGateway, type DrainingContext } from "./draining.ts";

/** Closes the devices as the transport closes its connections. */
const contextOf = (world: World, devices: readonly Device[]): DrainingContext => ({
  node: world.at(0).node,
  random: () => world.random.next(),
  transport: {
    async closeAll(...how) {
      this.closeWhere(() => true, ...how);
      await until(() => devices.every(({ gone }) => gone));
    },
    closeWhere(matches, kind, message, retryInMs) {
      for (const device of devices.filter(matches)) device.closeWhenIdle(kind, message, retryInMs(device));
    },
  },
});

const drainNode = async (world: World, devices: readonly Device[]): Promise<void> =>
  world.during(drain(contextOf(world, devices)));

describe("draining", () => {
  it("WS15 tells every connection when to reconnect, spread out, and the close names the same delay", async () => {
    const world = new World();
    const devices = [world.connect(), world.connect()];
    for (let n = 0; n < 48; n++) devices.push(await world.arrive(world.logIn()));
    for (const device of devices) device.take();
    await drainNode(world, devices);
    const delays = devices.map(({ received }) => Number(received[0]?.["retryInMs"]));
    for (const [at, { received, closeCode, retryInMs }] of devices.entries()) {
      expect(received).toMatchObject([
        { type: "server_draining", retryInMs: delays[at] },
        { type: "closing", closeCode: CLOSE.RESTARTING.code, reconnect: true, retryInMs: delays[at] },
      ]);
      expect([closeCode, retryInMs]).toEqual([4001, delays[at]]);
    }
    expect(new Set(delays).size).toBeGreaterThan(40);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeGreaterThan(2_500);
    await world.close();
  });

  it("WS15 loses no accepted message, and accepts none afterwards", async () => {
    const world = new World({ nodes: 2 });
    const friend = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    const device = world.connect(0);
    world.services.before = () => world.time.sleep(400);
    device.say({ type: "identify", token: world.logIn().token });
    device.say({ type: "join_server", serverId: SERVER });
    for (let n = 0; n < 100; n++) {
      device.say({ type: "chat_message", serverId: SERVER, message: { id: String(n), content: "" } });
    }
    friend.take();
    const drained = drainNode(world, [device]);
    device.say({ type: "chat_message", serverId: SERVER, message: { id: "late", content: "" } });
    await drained;
    await world.settle();
    expect(friend.all("chat_message")).toHaveLength(100);
    expect(friend.received.map(({ type }) => type).at(-1)).toBe("user_left");
    expect(device.received.map(({ type }) => type)).toEqual([
      "server_draining",
      "identified",
      "server_joined",
      "closing",
    ]);
    await world.close();
  });

  it("WS15 waits until the cluster has forgotten its connections", async () => {
    const world = new World({ nodes: 2, point: (there) => () => there.time.sleep(50) });
    const session = world.logIn();
    const device = await world.arrive(session, { joins: [SERVER] });
    await drainNode(world, [device]);
    expect(world.at(0).node.unregistering.size).toBe(0);
    expect(await world.registered(session.oderId)).toEqual([]);
    expect(await world.roster.online([SERVER])).toEqual({ [SERVER]: 0 });
    await world.close();
  });

  it("WS15 a gateway that ends closes its own connections after their messages are handled, and no others", async () => {
    const world = new World();
    const [leaving, staying] = [world.connect(0, { gateway: "a" }), world.connect(0, { gateway: "b" })];
    for (const device of [leaving, staying]) {
      device.say({ type: "identify", token: world.logIn().token });
      device.say({ type: "join_server", serverId: SERVER });
    }
    await world.settle();
    leaving.take();
    staying.take();
    leaving.say({ type: "chat_message", serverId: SERVER, message: { id: "last", content: "" } });
    drainGateway(contextOf(world, [leaving, staying]), "a");
    await world.settle();
    expect(leaving.received).toMatchObject([
      { type: "server_draining", retryInMs: leaving.retryInMs },
      { type: "closing", closeCode: CLOSE.RESTARTING.code, reconnect: true },
    ]);
    expect(staying.received.map(({ type }) => type)).toEqual(["chat_message", "user_left"]);
    expect([leaving.open, staying.open]).toEqual([false, true]);
    await world.close();
  });

  it("WS15 spreads many connections over more time", async () => {
    const world = new World();
    const devices = Array.from({ length: 3_000 }, () => world.connect());
    await drainNode(world, devices);
    const latest = Math.max(...devices.map(({ retryInMs }) => retryInMs ?? 0));
    expect(latest).toBeGreaterThan(5_000);
    expect(latest).toBeLessThanOrEqual(7_000);
    await world.close();
  });
});
