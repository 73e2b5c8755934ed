import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, presenceSubjects } from "@hearth/contracts";
import {
  CHANNEL,
  closeWithoutWarnings,
  type Device,
  OTHER_SERVER,
  SERVER,
  type Session,
  World,
} from "../testing/index.ts";

const join = (device: Device, serverId = SERVER): void => device.say({ type: "join_server", serverId });
const leave = (device: Device, serverId = SERVER): void => device.say({ type: "leave_server", serverId });
const typesOf = (device: Device) => device.received.map(({ type }) => type);

describe.each([1, 2])("rooms, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let bob: Session;
  let watcher: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    [ada, bob] = [world.logIn(undefined, "Ada"), world.logIn(undefined, "Bob")];
    watcher = await world.arrive(bob, { joins: [SERVER], node: 1 });
  });
  afterEach(() => closeWithoutWarnings(world));

  it("WS8 returns the users and channels, and notifies the others", async () => {
    const device = await world.arrive(ada);
    device.say({ type: "join_server", serverId: SERVER, requestId: "r1" });
    await world.settle();
    const [her, him] = [
      { oderId: ada.oderId, username: "ada", displayName: "Ada", status: "online" },
      { oderId: bob.oderId, username: "bob", displayName: "Bob", status: "online" },
    ];
    expect(device.received).toEqual([
      {
        type: "server_joined",
        serverId: SERVER,
        users: expect.arrayContaining([her, him]),
        channels: [{ id: CHANNEL, name: "general", kind: "text", position: 0 }],
        requestId: "r1",
      },
    ]);
    expect(device.received[0]?.["users"]).toHaveLength(2);
    expect(watcher.received).toEqual([{ type: "user_joined", serverId: SERVER, user: her }]);
  });

  it("WS8 announces a user's first connection in and the last one out, and none in between", async () => {
    const laptop = await world.arrive(ada, { joins: [SERVER] });
    const phone = await world.arrive(ada, { joins: [SERVER], node: 1 });
    expect(typesOf(watcher)).toEqual(["user_joined"]);
    expect(laptop.all("user_joined")).toEqual([]);
    leave(laptop);
    await world.settle();
    expect(laptop.last("server_left")).toMatchObject({ serverId: SERVER });
    phone.hangUp();
    await world.settle();
    expect(typesOf(watcher)).toEqual(["user_joined", "user_left"]);
    expect(watcher.last("user_left")).toEqual({ type: "user_left", serverId: SERVER, oderId: ada.oderId });
  });

  it("WS8 joining twice has the effect of joining once", async () => {
    const device = await world.arrive(ada, { joins: [SERVER, SERVER] });
    expect(typesOf(watcher)).toEqual(["user_joined"]);
    watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
    await world.settle();
    expect(device.all("chat_message")).toHaveLength(1);
    leave(device);
    leave(device);
    await world.settle();
    expect(device.last("error")).toMatchObject({ code: "NOT_JOINED", inReplyTo: "leave_server" });
    expect(typesOf(watcher)).toContain("user_left");
  });

  it("WS8 a connection receives no messages of other rooms, nor after leaving", async () => {
    const elsewhere = await world.arrive(ada, { joins: [OTHER_SERVER] });
    const gone = await world.arrive(world.logIn(), { joins: [SERVER] });
    leave(gone);
    await world.settle();
    gone.take();
    watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
    await world.settle();
    expect([...elsewhere.received, ...gone.received]).toEqual([]);
  });

  it.each(["NOT_FOUND", "BANNED", "ACCESS_DENIED", "RATE_LIMITED"] as const)(
    "WS8 is refused with %s if discovery refuses it",
    async (code) => {
      world.services.refused.set(`${SERVER} ${ada.oderId}`, code);
      const device = await world.arrive(ada);
      device.say({ type: "join_server", serverId: SERVER, requestId: "r1" });
      device.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
      await world.settle();
      expect(device.received).toMatchObject([
        { type: "error", code, requestId: "r1", inReplyTo: "join_server", serverId: SERVER },
        { type: "error", code: "NOT_JOINED" },
      ]);
      expect(watcher.received).toEqual([]);
    },
  );

  it.each(["UNAVAILABLE", "TIMEOUT", "INTERNAL"] as const)(
    "WS8 ER6 may be retried after %s",
    async (code) => {
      world.services.refused.set(`${SERVER} ${ada.oderId}`, code);
      const device = await world.arrive(ada, { joins: [SERVER] });
      world.services.refused.clear();
      join(device);
      join(device, OTHER_SERVER);
      await world.settle();
      expect(typesOf(device)).toEqual(["server_joined", "server_joined"]);
      world.log.lines.length = 0;
    },
  );

  it("WS8 shows a newcomer the status that a user has set", async () => {
    watcher.say({ type: "status_update", status: "busy", statusText: "in a meeting" });
    await world.settle();
    const device = await world.arrive(ada);
    join(device);
    await world.settle();
    const { users } = device.last("server_joined") ?? {};
    expect(users).toContainEqual({
      oderId: bob.oderId,
      username: "bob",
      displayName: "Bob",
      status: "busy",
      statusText: "in a meeting",
    });
  });

  it("WS8 a dead node's users leave once, unless they are connected to another node", async () => {
    const cluster = new World({ nodes: 3 });
    const [stays, dies] = [cluster.logIn(), cluster.logIn()];
    const here = await cluster.arrive(cluster.logIn(), { joins: [SERVER], node: 0 });
    await cluster.arrive(stays, { joins: [SERVER], node: 1 });
    await cluster.arrive(stays, { joins: [SERVER], node: 2 });
    await cluster.arrive(dies, { joins: [SERVER, OTHER_SERVER], node: 1 });
    here.take();
    await cluster.kill(1);
    await cluster.pass(15);
    expect(here.received).toEqual([{ type: "user_left", serverId: SERVER, oderId: dies.oderId }]);
    expect(await cluster.roster.online([SERVER, OTHER_SERVER])).toEqual({ [SERVER]: 2, [OTHER_SERVER]: 0 });
    await cluster.close();
  });

  it("WS8 a node that was taken for dead makes its clients reconnect", async () => {
    const cluster = new World({ nodes: 2 });
    const asleep = await cluster.arrive(cluster.logIn(), { node: 1 });
    const unidentified = cluster.connect(1);
    cluster.at(1).alive = false;
    await cluster.pass(12);
    cluster.at(1).alive = true;
    await cluster.pass(1);
    expect(asleep.closeCode).toBe(4001);
    expect(unidentified.open).toBe(true);
    await cluster.close();
  });

  it("DI1 counts the users of a room, not their devices", async () => {
    await world.arrive(ada, { joins: [SERVER] });
    await world.arrive(ada, { joins: [SERVER], node: 1 });
    const { counts } = await world.bus.request(presenceSubjects.online, {
      serverIds: [SERVER, OTHER_SERVER],
    });
    expect(counts).toEqual({ [SERVER]: 2, [OTHER_SERVER]: 0 });
  });

  it("WS8 sends a user's new name to everybody who sees them, once", async () => {
    const laptop = await world.arrive(ada, { joins: [SERVER, OTHER_SERVER] });
    join(watcher, OTHER_SERVER);
    const stranger = await world.arrive(world.logIn());
    await world.settle();
    for (const device of [laptop, watcher, stranger]) device.take();
    await world.bus.publish(authSubjects.userUpdated, { userId: ada.oderId, displayName: "Countess" });
    await world.settle();
    const news = { type: "user_updated", oderId: ada.oderId, displayName: "Countess" };
    expect([laptop.take(), watcher.take(), stranger.take()]).toEqual([[news], [news], []]);
    laptop.say({ type: "user_typing", serverId: SERVER });
    const newcomer = await world.arrive(world.logIn());
    join(newcomer);
    await world.settle();
    expect(watcher.last("user_typing")).toMatchObject({ fromDisplayName: "Countess" });
    expect(newcomer.last("server_joined")?.["users"]).toContainEqual(
      expect.objectContaining({ oderId: ada.oderId, displayName: "Countess" }),
    );
  });
});
