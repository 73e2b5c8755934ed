import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { authSubjects, discoverySubjects, presenceSubjects, ProblemError } from "@hearth/contracts";
import { CHANNEL, type Device, LAPTOP, OTHER_SERVER, SERVER, type Session, World } from "./testing/index.ts";

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
  afterEach(async () => {
    expect(world.complaints).toEqual([]);
    await world.close();
  });

  it("WS8 answers who is there and which channels there are, and tells the others", async () => {
    const device = await world.arrive(ada);
    device.say({ type: "join_server", serverId: SERVER, requestId: "r1" });
    await world.settle();
    const [her, him] = [
      { oderId: ada.oderId, displayName: "Ada", status: "online" },
      { oderId: bob.oderId, displayName: "Bob", status: "online" },
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

  it("WS8 tells of a user's first connection in and of the last one out, of none between", async () => {
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

  it("WS8 joining twice is joining once", async () => {
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

  it("WS8 nobody in a room hears what is said in another, or after leaving", async () => {
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
    "WS8 is refused with %s where discovery says so",
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
    "WS8 ER6 may be tried again after %s",
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
      displayName: "Bob",
      status: "busy",
      statusText: "in a meeting",
    });
  });

  it("WS8 a dead node's users leave, once, unless they are there by another node", async () => {
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

  it("WS8 a node that was taken for dead sends its clients to connect again", async () => {
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

  it("WS8 tells everybody who sees a user of their new name, once", async () => {
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

describe.each([1, 2])("the right to be in a room, with %i node(s)", (nodes) => {
  let world: World;
  let ada: Session;
  let watcher: Device;
  beforeEach(async () => {
    world = new World({ nodes });
    ada = world.logIn();
    watcher = await world.arrive(world.logIn(), { joins: [SERVER], node: 1 });
  });
  afterEach(() => world.close());

  const remove = (reason: "removed" | "banned" | "left" = "banned"): Promise<void> =>
    world.bus.publish(discoverySubjects.membershipEnded, { serverId: SERVER, userId: ada.oderId, reason });
  const hears = async (device: Device): Promise<boolean> => {
    device.take();
    watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
    await world.settle();
    return device.all("chat_message").length > 0;
  };

  it.each(["removed", "banned", "left"] as const)(
    "DI7 ends at once on every device when the user is %s, and nowhere else",
    async (reason) => {
      const devices = [
        await world.arrive(ada, { joins: [SERVER, OTHER_SERVER], node: 0 }),
        await world.arrive(ada, { joins: [SERVER], node: 1 }),
      ];
      watcher.take();
      await remove(reason);
      await world.settle();
      for (const device of devices) {
        expect(device.last("removed_from_server")).toEqual({
          type: "removed_from_server",
          serverId: SERVER,
          reason,
        });
        expect(device.open).toBe(true);
        expect(await hears(device)).toBe(false);
      }
      expect(watcher.received.map(({ type }) => type)).toEqual(["user_left"]);
      expect(await world.roster.serversOf(ada.oderId)).toEqual([OTHER_SERVER]);
    },
  );

  it("DI7 hearing of it twice is hearing of it once", async () => {
    const device = await world.arrive(ada, { joins: [SERVER] });
    await remove();
    await remove();
    await world.settle();
    expect(device.all("removed_from_server")).toHaveLength(1);
  });

  it("DI7 ends for everybody when the server is deleted", async () => {
    const device = await world.arrive(ada, { joins: [SERVER, OTHER_SERVER] });
    watcher.take();
    await world.bus.publish(discoverySubjects.serverDeleted, { serverId: SERVER });
    await world.settle();
    for (const each of [device, watcher]) {
      expect(each.all("removed_from_server")).toMatchObject([{ serverId: SERVER, reason: "deleted" }]);
    }
    expect(await world.roster.online([SERVER, OTHER_SERVER])).toEqual({ [SERVER]: 0, [OTHER_SERVER]: 1 });
    watcher.say({ type: "chat_message", serverId: SERVER, message: { id: "m", content: "" } });
    await world.settle();
    expect(watcher.last("error")).toMatchObject({ code: "NOT_JOINED" });
  });

  it.each(["removal", "deletion"])("DI7 a %s at any point of a join in flight wins over it", async (what) => {
    for (let at = 0; ; at++) {
      const count = { points: 0 };
      const racing = new World({
        nodes,
        point: (there) => async () => {
          count.points += 1;
          if (count.points !== at + 1 || !started.is) return;
          if (what === "deletion")
            await there.bus.publish(discoverySubjects.serverDeleted, { serverId: SERVER });
          else {
            const ended = { serverId: SERVER, userId: session.oderId, reason: "banned" as const };
            await there.bus.publish(discoverySubjects.membershipEnded, ended);
          }
          await there.time.sleep(1);
        },
      });
      const started = { is: false };
      const session = racing.logIn();
      const witness =
        what === "removal" ? await racing.arrive(racing.logIn(), { node: 1, joins: [SERVER] }) : null;
      const device = await racing.arrive(session, { clientInstanceId: LAPTOP });
      count.points = 0;
      started.is = true;
      join(device);
      await racing.settle();
      const over = count.points <= at;
      if (!over) {
        expect(await racing.roster.serversOf(session.oderId)).toEqual([]);
        const types = device.received.map(({ type }) => type);
        expect([["error"], ["server_joined", "removed_from_server"]]).toContainEqual(types);
        const news = witness?.received.filter(({ type }) => String(type).startsWith("user_")) ?? [];
        expect(news.length % 2).toBe(0);
        if (news.length > 0) expect(news.at(-1)).toMatchObject({ type: "user_left", oderId: session.oderId });
      }
      await racing.close();
      if (!over) continue;
      expect(at).toBeGreaterThan(5);
      break;
    }
  });

  it("DI7 nobody hears of a join that was overtaken while discovery was asked", async () => {
    const device = await world.arrive(ada);
    watcher.take();
    world.services.before = () => world.time.sleep(100);
    join(device);
    await world.time.pass(50);
    await remove();
    await world.settle();
    expect(device.received).toMatchObject([{ type: "error", code: "ACCESS_DENIED" }]);
    expect(watcher.received).toEqual([]);
  });

  it("DI7 a membership that ended before does not end a later one", async () => {
    const device = await world.arrive(ada);
    await remove();
    await world.settle();
    join(device);
    await world.settle();
    expect(device.all("server_joined")).toHaveLength(1);
    expect(await hears(device)).toBe(true);
  });

  it.each([
    ["server_updated", discoverySubjects.serverUpdated],
    ["member_updated", discoverySubjects.memberUpdated],
  ])("DI1 %s reaches the room, once each", async (type, subject) => {
    const elsewhere = await world.arrive(ada, { joins: [OTHER_SERVER] });
    const server = {
      ...{
        id: SERVER,
        name: "Home",
        description: "",
        iconHash: null,
        tags: [],
        visibility: "public" as const,
      },
      ...{ ownerId: ada.oderId, memberCount: 1, onlineCount: 1, featured: false, channels: [] },
      ...{ createdAt: 1, updatedAt: 2, version: 3 },
    };
    const member = { serverId: SERVER, userId: ada.oderId, displayName: "Ada", role: "moderator" as const };
    watcher.take();
    if (subject === discoverySubjects.serverUpdated)
      await world.bus.publish(discoverySubjects.serverUpdated, { server });
    else await world.bus.publish(discoverySubjects.memberUpdated, member);
    await world.settle();
    expect(watcher.received.map(({ type: received }) => received)).toEqual([type]);
    expect(elsewhere.received).toEqual([]);
  });

  it("DI4 a request for access reaches those whom it concerns, on every device", async () => {
    const devices = [await world.arrive(ada, { node: 0 }), await world.arrive(ada, { node: 1 })];
    for (const device of devices) device.take();
    watcher.take();
    const request = {
      ...{ id: LAPTOP, serverId: SERVER, userId: LAPTOP, displayName: "Eve", message: null },
      ...{ status: "pending" as const, createdAt: 1, decidedAt: null, decidedBy: null },
    };
    await world.bus.publish(discoverySubjects.requestUpdated, { request, recipients: [ada.oderId] });
    await world.settle();
    for (const device of devices) expect(device.received).toEqual([{ type: "access_request", request }]);
    expect(watcher.received).toEqual([]);
  });
});

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
        }
        await world.time.pass(1_000);
      }
      await world.close();
    },
  );

  it("WS8 a newcomer's picture of the room and what it hears afterwards miss nobody", async () => {
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
  it("WS8 does not hear later of a leaving that has been taken back", async () => {
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
    expect(world.at(0).node.owed.size).toBe(0);
    await world.close();
  });

  it("WS8 hears later of a connection that is gone and of a room that was left", async () => {
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
