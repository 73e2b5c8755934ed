import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { discoverySubjects } from "@hearth/contracts";
import { type Device, LAPTOP, OTHER_SERVER, SERVER, type Session, World } from "../testing/index.ts";

const join = (device: Device, serverId = SERVER): void => device.say({ type: "join_server", serverId });

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

  it("DI7 a repeated event changes nothing", async () => {
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

  it("DI7 nobody learns of a join that was overtaken while discovery was asked", async () => {
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

  it("DI4 a request for access reaches its recipients on every device", async () => {
    const devices = [await world.arrive(ada, { node: 0 }), await world.arrive(ada, { node: 1 })];
    for (const device of devices) device.take();
    watcher.take();
    const request = {
      ...{ id: LAPTOP, serverId: SERVER, userId: LAPTOP, username: "eve", displayName: "Eve", message: null },
      ...{ status: "pending" as const, createdAt: 1, decidedAt: null, decidedBy: null },
    };
    await world.bus.publish(discoverySubjects.requestUpdated, { request, recipients: [ada.oderId] });
    await world.settle();
    for (const device of devices) expect(device.received).toEqual([{ type: "access_request", request }]);
    expect(watcher.received).toEqual([]);
  });
});
