import { describe, expect, it } from "@jest/globals";
import { ProblemError } from "@hearth/contracts";
import { type Device, SERVER, type Session, World } from "../testing/index.ts";

const join = (device: Device, serverId = SERVER): void => device.say({ type: "join_server", serverId });
const leave = (device: Device, serverId = SERVER): void => device.say({ type: "leave_server", serverId });

describe("joins and departures that interleave", () => {
  const distance = (world: World) => () => world.time.sleep(world.random.below(5));

  it.each([
    ["one node", { nodes: 1 }],
    ["two nodes", { nodes: 2 }],
    ["two nodes, stores at a distance", { nodes: 2, point: distance }],
  ])("WS8 X13 the last message of a connection decides, a thousand times, with %s", async (_, options) => {
    const world = new World({ ...options, seed: 13 });
    const ada = world.logIn();
    const device = await world.arrive(ada);
    const watcher = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    for (let round = 0; round < 350; round++) {
      let joined = false;
      for (let n = world.random.below(4); n >= 0; n--) {
        joined = world.random.chance(0.5);
        if (joined) join(device);
        else leave(device);
      }
      await world.settle();
      await world.time.pass(1_000);
      expect(await world.roster.serversOf(ada.oderId)).toEqual(joined ? [SERVER] : []);
      watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
      await world.settle();
      const news = watcher.received.filter(({ type }) => String(type).startsWith("user_"));
      expect(news.at(-1)?.["type"] ?? "user_left").toBe(joined ? "user_joined" : "user_left");
      expect(device.take().filter(({ type }) => type === "chat_message")).toHaveLength(joined ? 1 : 0);
    }
    await world.close();
  });

  it.each([
    ["stores at hand", {}],
    ["stores at a distance", { point: distance }],
  ])(
    "WS8 X14 the room agrees with the roster while a user changes devices between nodes, with %s",
    async (_, far) => {
      const world = new World({ ...far, nodes: 2, seed: 14 });
      const watchers = [
        await world.arrive(world.logIn(), { joins: [SERVER], node: 0 }),
        await world.arrive(world.logIn(), { joins: [SERVER], node: 1 }),
      ];
      const ada = world.logIn();
      const devices = [await world.arrive(ada, { node: 0 }), await world.arrive(ada, { node: 1 })];
      for (let round = 0; round < 300; round++) {
        for (const device of devices) {
          void world.time
            .sleep(world.random.below(20))
            .then(() => (world.random.chance(0.5) ? join : leave)(device));
        }
        await world.settle();
        const present = (await world.roster.serversOf(ada.oderId)).length > 0;
        for (const watcher of watchers) {
          const news = watcher.received.filter(({ type }) => String(type).startsWith("user_"));
          expect(news.at(-1)?.["type"] ?? "user_left").toBe(present ? "user_joined" : "user_left");
          const ofAda = news.filter(
            ({ user, oderId }) => ((user as Session | undefined)?.oderId ?? oderId) === ada.oderId,
          );
          const comings = ofAda.map(({ type }) => type === "user_joined");
          expect(comings.filter((came, at) => came && comings[at - 1] === true)).toEqual([]);
        }
        await world.time.pass(1_000);
      }
      await world.close();
    },
  );

  it("WS8 a newcomer's snapshot and the messages after it miss nobody", async () => {
    const world = new World({ nodes: 2, seed: 8, point: distance });
    for (let round = 0; round < 100; round++) {
      const serverId = `50000000-0000-4000-8000-${String(round).padStart(12, "0")}`;
      const people = Array.from({ length: 4 }, () => world.logIn());
      const devices = people.map((_, node) => world.connect(node));
      for (const [at, device] of devices.entries()) {
        device.say({ type: "identify", token: people[at]?.token });
        join(device, serverId);
      }
      await world.settle();
      for (const [at, device] of devices.entries()) {
        const seen = new Set<unknown>([people[at]?.oderId]);
        expect(device.received[1]?.["type"]).toBe("server_joined");
        for (const { oderId } of device.last("server_joined")?.["users"] as Session[]) seen.add(oderId);
        for (const { user } of device.all("user_joined")) seen.add((user as Session).oderId);
        expect(seen.size).toBe(people.length);
        device.hangUp();
      }
    }
    await world.close();
  });
});

describe("a roster that is away for a while", () => {
  it("WS8 does not receive the departure of a user who has joined again", async () => {
    const away = { is: false };
    const world = new World({
      point: () => async (name) => {
        if (away.is && name === "roster.leave asked") throw new ProblemError("UNAVAILABLE");
      },
    });
    const ada = world.logIn();
    const device = await world.arrive(ada, { joins: [SERVER] });
    away.is = true;
    leave(device);
    await world.settle();
    away.is = false;
    join(device);
    await world.pass(2);
    expect(await world.roster.serversOf(ada.oderId)).toEqual([SERVER]);
    expect(world.at(0).node.pendingAnnouncements.size).toBe(0);
    await world.close();
  });

  it.each([2, 40])(
    "WS8 a departure reaches the other nodes once they can be reached, but not %i s late after newer changes",
    async (seconds) => {
      const away = { is: false };
      const world = new World({
        nodes: 2,
        point: () => async (name) => {
          if (away.is && name === "carrier.publish asked") throw new ProblemError("UNAVAILABLE");
        },
      });
      const watcher = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
      const ada = world.logIn();
      const device = await world.arrive(ada, { joins: [SERVER] });
      watcher.take();
      away.is = true;
      leave(device);
      await world.pass(seconds);
      expect(watcher.received).toEqual([]);
      away.is = false;
      await world.pass(2);
      const told = [{ type: "user_left", serverId: SERVER, oderId: ada.oderId }];
      expect(watcher.received).toEqual(seconds < 30 ? told : []);
      expect(world.at(0).node.pendingAnnouncements.size).toBe(0);
      await world.close();
    },
  );

  it("WS8 learns later of a closed connection and of a room that was left", async () => {
    const away = { is: false };
    const world = new World({
      nodes: 2,
      point: () => async (name) => {
        if (away.is && /^roster\.(leave|unregister) asked/.test(name)) throw new ProblemError("UNAVAILABLE");
      },
    });
    const watcher = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
    const [ada, bob] = [world.logIn(), world.logIn()];
    const leaves = await world.arrive(ada, { joins: [SERVER] });
    const closes = await world.arrive(bob, { joins: [SERVER] });
    watcher.take();
    away.is = true;
    leave(leaves);
    closes.hangUp();
    await world.pass(2);
    expect(leaves.last("server_left")).toBeDefined();
    expect(watcher.received).toEqual([]);
    away.is = false;
    await world.pass(1);
    expect(watcher.all("user_left").map(({ oderId }) => oderId)).toEqual(
      expect.arrayContaining([ada.oderId, bob.oderId]),
    );
    expect(watcher.received).toHaveLength(2);
    expect(await world.registered(bob.oderId)).toEqual([]);
    await world.close();
  });
});
